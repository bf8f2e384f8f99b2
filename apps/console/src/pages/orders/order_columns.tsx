import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import type { Column } from "../../components/column.ts";
import { Money } from "../../components/figures.tsx";
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
      cell: ({ order_no }) => (
        // The number breaks where the other columns leave too little room for it.
        <span className="figures" style={{ whiteSpace: "normal", overflowWrap: "anywhere" }}>
          {order_no}
        </span>
      ),
    }),
    ...(withBuyer ? [column.member("uid", t("about.buyer"))] : []),
    column.custom({
      id: "state",
      title: t("state"),
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
    column.money("pay_price", t("paidPrice"), {
      cell: ({ pay_price, refunded, amount_left }) => (
        <>
          <Money value={pay_price} />
          {pay_price !== amount_left && (
            // Below it, because columns of their own would not fit in a window of 1280 pixels.
            <Text size="xs" c="dimmed">
              {!withRefunds && (
                <>
                  {t("refundedSum")} <Money value={refunded} />
                  <br />
                </>
              )}
              {t("amountLeft")} <Money value={amount_left} />
            </Text>
          )}
        </>
      ),
    }),
    ...(withRefunds ? [] : [column.money("refunded", t("refundedSum"), { isFileOnly: true })]),
    column.money("amount_left", t("amountLeft"), { isFileOnly: true }),
    ...(withRefunds ? [column.money("refunded", t("refundedAmount"))] : []),
    column.money("queue_base", t("queueBase")),
    column.count("queue_units", t("units")),
    column.member("referrer_uid", t("words:referrer"), { name: "referrer_nickname" }),
    column.time("add_time", t("ordered")),
    column.time("paid_at", t("about.paidAt"), { sort: true, sortNote: t("unpaidLeftOut") }),
  ];
}
