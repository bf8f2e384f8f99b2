import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { CartItem } from "../../../../client/cart_items.ts";
import { type Api, unwrap } from "../../../../client/index.ts";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { Empty } from "../../components/empty.tsx";
import { FailureBox } from "../../components/failure_box.tsx";
import { Price } from "../../components/figures.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { changeCart, removeFromCart, useCart } from "../../store/cart.ts";
import { useStore } from "../../store/store.ts";
import { CartLine } from "./cart_line.tsx";
import styles from "./cart_page.module.css";

const noLines: Api["CartLine"][] = [];
const idsOf = (all: { product_id: number }[]) => all.map(({ product_id }) => product_id);

/**
 * Asks the store what of the cart can be ordered and what that costs. While a change is being asked about, the last
 * answer is shown.
 */
function useCheckedCart(items: CartItem[]) {
  const api = useStore();
  const body = {
    items: items.map(({ product_id, quantity, price, is_chosen }) => ({ product_id, quantity, price, is_chosen })),
  };
  return useQuery({
    queryKey: ["cart", body],
    queryFn: ({ signal }) => unwrap(api.POST("/api/cart", { body, signal })),
    enabled: items.length > 0,
    placeholderData: keepPreviousData,
  });
}

/** What the buyer wants to order. */
export function Component() {
  const { t } = useTranslation("cart");
  const navigate = useNavigate();
  const items = useCart();
  const checked = useCheckedCart(items);
  const { lines = noLines, total_price } = checked.data ?? {};
  const lineOf = ({ product_id }: CartItem) => lines.find((line) => line.product_id === product_id);
  const orderable = items.filter((item) => !lineOf(item)?.problem);
  const chosen = orderable.filter(({ is_chosen }) => is_chosen);
  const gone = items.filter((item) => ["unavailable", "sold_out"].includes(lineOf(item)?.problem ?? ""));
  const isKnown = checked.data !== undefined && !checked.isPlaceholderData;

  const order = () => {
    // The buyer has seen these prices now.
    for (const { product_id, price } of lines) if (price !== null) changeCart([product_id], { price });
    // What cannot be ordered is not part of the order.
    changeCart(idsOf(items.filter((item) => lineOf(item)?.problem)), { is_chosen: false });
    void navigate("/checkout?from=cart");
  };

  if (items.length === 0)
    return (
      <Page title={t("title")} back="/">
        <Empty text={t("empty")} action={{ to: "/", label: t("toProducts") }} />
      </Page>
    );
  return (
    <Page
      title={t("title")}
      back="/"
      foot={
        <>
          <Checkbox
            checked={chosen.length > 0 && chosen.length === orderable.length}
            disabled={orderable.length === 0}
            onChange={(isChosen) => changeCart(idsOf(orderable), { is_chosen: isChosen })}
          >
            {t("chooseAll")}
          </Checkbox>
          <div className={styles.total} aria-busy={!isKnown}>
            {total_price !== undefined && (
              <>
                <span className="weak">{t("total")}</span> <Price value={total_price} />
              </>
            )}
          </div>
          <Button
            color="primary"
            size="large"
            shape="rounded"
            disabled={!isKnown || chosen.length === 0}
            onClick={order}
          >
            {t("checkout", { count: chosen.length })}
          </Button>
        </>
      }
    >
      <div className={layout.stack}>
        <FailureBox error={checked.error} onRetry={() => void checked.refetch()} />
        {/* What the store says of a line would move those below it. */}
        {checked.isLoading ? (
          <Loading />
        ) : (
          <>
            <ul className={layout.stack} aria-label={t("title")}>
              {items.map((item) => (
                <CartLine key={item.product_id} item={item} line={lineOf(item)} />
              ))}
            </ul>
            {gone.length > 0 && (
              <Button fill="none" onClick={() => removeFromCart(idsOf(gone))}>
                {t("removeGone", { count: gone.length })}
              </Button>
            )}
            <p className="weak">{t("freightLater")}</p>
          </>
        )}
      </div>
    </Page>
  );
}
