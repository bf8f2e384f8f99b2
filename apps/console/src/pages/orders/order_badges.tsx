import { Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Tag } from "../../components/tag.tsx";

type Order = Pick<Admin["AdminOrder"], "shown_state" | "refund_status" | "units_to_ship" | "lines">;
type OrderState = Order["shown_state"];

export const orderStates: OrderState[] = ["unpaid", "paid", "delivered", "received", "cancelled", "refunded"];

const stateColors: Record<OrderState, string> = {
  unpaid: "gray",
  paid: "blue",
  delivered: "indigo",
  received: "green",
  cancelled: "gray",
  refunded: "red",
};
const refundColors: Record<number, string> = { 1: "orange", 3: "yellow" };

/**
 * Renders nothing without a refund, and for one that is complete, which is the state of the order.
 * @param returned how far the goods of an open request have returned, if they were asked for
 */
export function RefundBadge({
  status,
  returned = null,
}: {
  status: number;
  returned?: Admin["AdminListedOrder"]["return_state"];
}) {
  const { t } = useTranslation("words");
  if (refundColors[status] === undefined) return null;
  if (returned !== null) return <Tag color="orange">{t(`returnState.${returned}`)}</Tag>;
  return <Tag color={refundColors[status]}>{t(`refundStatus.${String(status) as "1"}`)}</Tag>;
}

/** The units that are left to ship of an order of which others were refunded; otherwise undefined. */
export const leftToShip = ({ units_to_ship, lines }: Order) =>
  units_to_ship > 0 && lines.some(({ refunded_quantity }) => refunded_quantity > 0) ? units_to_ship : undefined;

/** The state of an order and of its refunds, and what they have left to ship. */
export function OrderBadges({
  order,
  returned,
}: {
  order: Order;
  returned: Admin["AdminListedOrder"]["return_state"];
}) {
  const { t } = useTranslation("words");
  const left = leftToShip(order);
  return (
    <Group gap={4}>
      <Tag color={stateColors[order.shown_state]}>{t(`orderState.${order.shown_state}`)}</Tag>
      <RefundBadge status={order.refund_status} returned={returned} />
      {left !== undefined && <Text size="sm">{t("leftToShip", { count: left })}</Text>}
    </Group>
  );
}
