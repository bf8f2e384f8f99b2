import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { formatMoney } from "../../components/figures.tsx";

/** Up to this stock, the number of units left is shown. */
const few = 10;

/** Tags of a product: it pays commission, only a few units are left, or it is sold out. */
export function ProductTags({
  product: { is_queue_goods, stock, you_would_earn: earning },
}: {
  product: Pick<Api["Product"], "is_queue_goods" | "stock" | "you_would_earn">;
}) {
  const { t } = useTranslation("products");
  if (!is_queue_goods && (stock === null || stock > few)) return null;
  return (
    <span className="tags">
      {is_queue_goods && (
        <span className="tag brand">
          {earning && earning.commission !== "0.00" ? t("earn", { amount: formatMoney(earning.commission) }) : t("queueGoods")}
        </span>
      )}
      {stock === 0 && <span className="tag">{t("soldOut")}</span>}
      {stock !== null && stock > 0 && stock <= few && <span className="tag warm">{t("left", { count: stock })}</span>}
    </span>
  );
}
