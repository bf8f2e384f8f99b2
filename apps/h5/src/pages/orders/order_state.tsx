import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { Tag, Tags } from "../../components/tag.tsx";

type Order = Api["Order"];

/** The state of an order, and of a refund that does not end it. */
export function OrderState({
  order: { shown_state, refund_status },
}: {
  order: Pick<Order, "shown_state" | "refund_status">;
}) {
  const { t } = useTranslation("orders");
  const isOver = shown_state === "cancelled" || shown_state === "refunded";
  return (
    <Tags>
      <Tag look={shown_state === "unpaid" ? "warm" : isOver ? "tag" : "brand"}>{t(`state.${shown_state}`)}</Tag>
      {refund_status > 0 && shown_state !== "refunded" && (
        <Tag>{t(`refundStatus.${String(refund_status) as "1"}`)}</Tag>
      )}
    </Tags>
  );
}

/** What is left to ship of an order of which units were refunded. */
export function LeftToShip({ order: { units_to_ship, lines } }: { order: Order }) {
  const { t } = useTranslation("orders");
  if (units_to_ship === 0 || lines.every(({ refunded_quantity }) => refunded_quantity === 0)) return null;
  return <span className="weak">{t("leftToShip", { count: units_to_ship })}</span>;
}
