import { Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type CartItem, mostUnits } from "../../../../client/cart_items.ts";
import type { Api } from "../../../../client/index.ts";
import { Checkbox } from "../../components/checkbox.tsx";
import { classes } from "../../components/classes.ts";
import { formatMoney, Price } from "../../components/figures.tsx";
import { IconButton } from "../../components/icon_button.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Picture } from "../../components/picture.tsx";
import { Quantity } from "../../components/quantity.tsx";
import { changeCart, removeFromCart } from "../../store/cart.ts";
import { ProductTitle } from "../products/product_title.tsx";
import styles from "./cart_line.module.css";

interface CartLineProps {
  item: CartItem;
  /** What the store says of it; undefined until it has answered. */
  line: Api["CartLine"] | undefined;
}

/** A product in the cart, and why it cannot be ordered, if so. */
export function CartLine({ item, line }: CartLineProps) {
  const { t } = useTranslation(["cart", "orders"]);
  const { product_id, quantity, is_chosen } = item;
  const ids = [product_id];
  const title = line?.title ?? item.title;
  const problem = line?.problem;
  const stock = line?.stock ?? undefined;
  return (
    <li className={classes(layout.card, styles.line)} aria-label={title}>
      <Checkbox
        checked={is_chosen && !problem}
        disabled={Boolean(problem)}
        onChange={(checked) => changeCart(ids, { is_chosen: checked })}
      >
        <span className="sr-only">{t("choose", { title })}</span>
      </Checkbox>
      <Picture src={line?.image ?? undefined} alt="" />
      <div className={styles.words}>
        <div className={styles.head}>
          <ProductTitle title={title} {...(problem !== "unavailable" && { to: `/products/${product_id}` })} />
          <IconButton label={t("remove", { title })} icon={Trash2} size={18} onClick={() => removeFromCart(ids)} />
        </div>
        {problem && <p className={styles.problem}>{t(`problem.${problem}`, { count: stock ?? 0 })}</p>}
        {line?.is_price_changed && line.price !== null && (
          <p className={styles.changed}>
            {t("priceChanged", { before: formatMoney(item.price), now: formatMoney(line.price) })}
          </p>
        )}
        {problem !== "unavailable" && (
          <div className={layout.apart}>
            <Price value={line?.price ?? item.price} />
            {problem !== "sold_out" && (
              <Quantity
                label={t("orders:quantity")}
                value={quantity}
                max={Math.max(Math.min(stock ?? mostUnits, mostUnits), 1)}
                onChange={(next) => changeCart(ids, { quantity: next })}
              />
            )}
          </div>
        )}
      </div>
    </li>
  );
}
