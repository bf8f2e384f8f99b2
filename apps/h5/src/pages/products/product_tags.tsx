import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { formatMoney } from "../../components/figures.tsx";
import { Tag, Tags } from "../../components/tag.tsx";

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
    <Tags>
      {is_queue_goods && (
        <Tag look="brand">
          {earning && earning.commission !== "0.00"
            ? t("earn", { amount: formatMoney(earning.commission) })
            : t("queueGoods")}
        </Tag>
      )}
      {stock === 0 && <Tag>{t("soldOut")}</Tag>}
      {stock !== null && stock > 0 && stock <= few && <Tag look="warm">{t("left", { count: stock })}</Tag>}
    </Tags>
  );
}
