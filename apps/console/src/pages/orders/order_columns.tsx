import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import type { Column } from "../../components/column.ts";
import { LongNumber } from "../../components/long_number.tsx";
import { leftToShip, OrderBadges } from "./order_badges.tsx";

type Order = Admin["AdminListedOrder"];

const column = columnsOf<Order>();

/**
 * The columns of a list of orders, which can be sorted.
 * @param withBuyer for orders of several members
 * @param withRefunds for orders that were refunded in a period: what was refunded in it
 */
export function useOrderColumns(withBuyer: boolean, withRefunds = false): Column<Order>[] {
  const { t } = useTranslation(["orders", "words"]);
  return [
    column.order("id", t("words:order"), { sort: true }),
    column.text("order_no", t("words:orderNo"), {
      width: 104,
      cell: ({ order_no }) => <LongNumber number={order_no} />,
    }),
    ...(withBuyer ? [column.member("uid", t("about.buyer"))] : []),
    column.custom({
      id: "state",
      title: t("state"),
      width: 144,
      cell: (order) => <OrderBadges order={order} returned={order.return_state} />,
      csv: (order) => {
        const { shown_state, refund_status, return_state } = order;
        const left = leftToShip(order);
        return [
          t(`words:orderState.${shown_state}`),
          refund_status > 0 && shown_state !== "refunded" && t(`words:refundStatus.${String(refund_status) as "1"}`),
          return_state && t(`words:returnState.${return_state}`),
          left !== undefined && t("words:leftToShip", { count: left }),
        ]
          .filter(Boolean)
          .join(", ");
      },
    }),
    column.money("pay_price", t("paidPrice")),
    ...(withRefunds ? [column.money("refunded", t("refundedAmount"))] : []),
    column.time("add_time", t("ordered")),
    column.time("paid_at", t("about.paidAt"), { sort: true, sortNote: t("unpaidLeftOut") }),
    column.member("referrer_uid", t("words:referrer"), { name: "referrer_nickname" }),
    column.money("queue_base", t("queueBase")),
    column.count("queue_units", t("units")),
    ...(withRefunds ? [] : [column.money("refunded", t("refundedSum"))]),
    column.money("amount_left", t("amountLeft")),
  ];
}
