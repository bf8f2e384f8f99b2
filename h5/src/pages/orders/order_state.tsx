import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { Tag, Tags } from "../../components/tag.tsx";

type Order = Pick<Api["Order"], "state" | "refund_status">;

const refundNames = { 1: "requested", 2: "refunded", 3: "partly" } as const;

/** The state of an order and of its refund. */
export function OrderState({ order: { state, refund_status } }: { order: Order }) {
  const { t } = useTranslation("orders");
  const refund = refundNames[refund_status as keyof typeof refundNames];
  return (
    <Tags>
      <Tag look={state === "unpaid" ? "warm" : state === "cancelled" ? "tag" : "brand"}>{t(`state.${state}`)}</Tag>
      {refund && <Tag>{t(`refundState.${refund}`)}</Tag>}
    </Tags>
  );
}
