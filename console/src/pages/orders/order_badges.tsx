import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Tag } from "../../components/tag.tsx";

type OrderState = Admin["Order"]["state"];

export const orderStates: OrderState[] = ["unpaid", "paid", "delivered", "received", "cancelled"];

const stateColors: Record<OrderState, string> = { unpaid: "gray", paid: "blue", delivered: "indigo", received: "green", cancelled: "gray" };
const refundColors = ["gray", "orange", "red", "yellow"];

export function OrderStateBadge({ state }: { state: OrderState }) {
  const { t } = useTranslation("words");
  return <Tag color={stateColors[state]}>{t(`orderState.${state}`)}</Tag>;
}

/** Renders nothing if no refund was requested or made. @param returned how far the goods of an open request have returned, if they were asked for */
export function RefundBadge({ status, returned = null }: { status: number; returned?: Admin["AdminListedOrder"]["return_state"] }) {
  const { t } = useTranslation("words");
  if (status === 0) return null;
  if (returned !== null) return <Tag color="orange">{t(`returnState.${returned}`)}</Tag>;
  return <Tag color={refundColors[status] ?? "gray"}>{t(`refundStatus.${String(status) as "1"}`)}</Tag>;
}
