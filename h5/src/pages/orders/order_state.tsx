import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";

type Order = Pick<Api["Order"], "state" | "refund_status">;

const refundNames = { 1: "requested", 2: "refunded", 3: "partly" } as const;

/** The state of an order and of its refund. */
export function OrderState({ order: { state, refund_status } }: { order: Order }) {
  const { t } = useTranslation("orders");
  const refund = refundNames[refund_status as keyof typeof refundNames];
  return (
    <span className="tags">
      <span className={state === "unpaid" ? "tag warm" : state === "cancelled" ? "tag" : "tag brand"}>{t(`state.${state}`)}</span>
      {refund && <span className="tag">{t(`refundState.${refund}`)}</span>}
    </span>
  );
}
