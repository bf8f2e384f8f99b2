import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";

/** From this stock on, the number of units that are left is shown. */
const few = 10;

/** What sets a product apart: it pays commission, only few are left, or none. */
export function ProductTags({ product: { is_queue_goods, stock } }: { product: Pick<Api["Product"], "is_queue_goods" | "stock"> }) {
  const { t } = useTranslation("products");
  if (!is_queue_goods && (stock === null || stock > few)) return null;
  return (
    <span className="tags">
      {is_queue_goods && <span className="tag brand">{t("queueGoods")}</span>}
      {stock === 0 && <span className="tag">{t("soldOut")}</span>}
      {stock !== null && stock > 0 && stock <= few && <span className="tag warm">{t("left", { count: stock })}</span>}
    </span>
  );
}
