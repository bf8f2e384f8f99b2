import { ShoppingCart } from "lucide-react";
import { useTranslation } from "react-i18next";
import { classes } from "../../components/classes.ts";
import { IconLink } from "../../components/icon_button.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { useCart } from "../../store/cart.ts";
import styles from "./cart_link.module.css";

/** Leads to the cart, and shows how many products are in it. */
export function CartLink() {
  const { t } = useTranslation("cart");
  const { length: count } = useCart();
  return (
    <span className={styles.cart}>
      <IconLink label={count > 0 ? t("openWith", { count }) : t("title")} icon={ShoppingCart} size={22} to="/cart" />
      {count > 0 && (
        <span className={classes(layout.badge, styles.count)} aria-hidden>
          {count}
        </span>
      )}
    </span>
  );
}
