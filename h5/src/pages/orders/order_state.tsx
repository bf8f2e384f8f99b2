import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { Tag, Tags } from "../../components/tag.tsx";

type Order = Pick<Api["Order"], "state" | "refund_status">;

/** The state of an order and of its refund. */
export function OrderState({ order: { state, refund_status } }: { order: Order }) {
  const { t } = useTranslation("orders");
  return (
    <Tags>
      <Tag look={state === "unpaid" ? "warm" : state === "cancelled" ? "tag" : "brand"}>{t(`state.${state}`)}</Tag>
      {refund_status > 0 && <Tag>{t(`refundStatus.${String(refund_status) as "1"}`)}</Tag>}
    </Tags>
  );
}
