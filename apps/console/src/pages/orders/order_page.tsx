import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { NotFoundPage } from "../../app/not_found_page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Actor } from "../../components/actor.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { formatPoints, Money } from "../../components/figures.tsx";
import { MemberLink } from "../../components/links.tsx";
import { useIdOfPage } from "../../components/ids.ts";
import { Page } from "../../components/page.tsx";
import { Section } from "../../components/section.tsx";
import { storedText } from "../../components/stored_reason.ts";
import { Time } from "../../components/time.tsx";
import { useAdmin } from "../../store/store.ts";
import { ActionsOf } from "../actions/action_list.tsx";
import { addressLine } from "./address_line.ts";
import { OrderBadges } from "./order_badges.tsx";
import { DeliverButton, PayButton, RefusePaymentButton } from "./order_buttons.tsx";
import { RefuseButton } from "./refuse_button.tsx";
import { OrderLines } from "./order_lines.tsx";
import { OrderParcels } from "./order_parcels.tsx";
import { OrderPayments } from "./order_payments.tsx";
import { OrderRefunds } from "./order_refunds.tsx";
import { AskReturnButton, openRequest, ReceiveReturnButton } from "./order_return.tsx";
import { RefundButton } from "./refund_button.tsx";
import { SettlementSection } from "./settlement_section.tsx";

type OrderPage = Admin["OrderPage"];

function AboutOrder({ order }: { order: OrderPage }) {
  const { t } = useTranslation(["orders", "words"]);
  // A provider of another name has no words.
  const payTypeWords = (type: string) =>
    type === "offline" || type === "wechat" || type === "free" ? t(`about.payTypes.${type}`) : type;
  const times = [
    ["paidAt", order.paid_at],
    ["deliveredAt", order.delivered_at],
    ["receivedAt", order.received_at],
    [order.is_expired ? "expiredAt" : "cancelledAt", order.cancelled_at],
    ["expiresAt", order.expires_at],
  ] as const;
  return (
    <Section
      title={t("about.title")}
      actions={<OrderBadges order={order} returned={openRequest(order)?.goods_return?.state ?? null} />}
    >
      <DescriptionList
        items={[
          [t("words:orderNo"), order.order_no],
          [t("about.buyer"), <MemberLink key="buyer" uid={order.uid} nickname={order.nickname} />],
          [
            t("words:referrer"),
            <MemberLink key="referrer" uid={order.referrer_uid} nickname={order.referrer_nickname} />,
          ],
          [t("about.goods"), <Money key="goods" value={order.total_price} />],
          [t("about.discount"), <Money key="discount" value={order.discount} />],
          ...(order.points_spent > 0
            ? [
                [
                  t("about.points"),
                  <span key="points">
                    <Money value={order.paid_by_points} />{" "}
                    <Text span size="sm" c="dimmed">
                      {t("about.pointsSpent", {
                        spent: formatPoints(order.points_spent),
                        left: formatPoints(order.points_left),
                      })}
                    </Text>
                  </span>,
                ] as [string, React.ReactNode],
              ]
            : []),
          [t("about.freight"), <Money key="freight" value={order.freight} />],
          [t("about.toPay"), <Money key="pay" value={order.pay_price} />],
          ...(Number(order.refunded) > 0
            ? ([
                [t("refundedSum"), <Money key="refunded" value={order.refunded} />],
                [t("amountLeft"), <Money key="left" value={order.amount_left} />],
              ] as [string, React.ReactNode][])
            : []),
          [t("queueBase"), <Money key="base" value={order.queue_base} />],
          [t("ordered"), <Time key="ordered" value={order.add_time} />],
          ...times
            .filter(([, time]) => time)
            .map(([name, time]): [string, React.ReactNode] => [t(`about.${name}`), <Time key={name} value={time} />]),
          ...(order.address
            ? ([
                [t("about.address"), addressLine(order.address)],
                [t("about.recipient"), `${order.address.name} ${order.address.phone}`],
              ] as [string, string][])
            : []),
          ...(order.remark ? [[t("about.remark"), order.remark] as [string, string]] : []),
          ...(order.pay_type
            ? ([[t("about.payment"), `${payTypeWords(order.pay_type)} ${order.pay_ref}`]] as [string, string][])
            : []),
          ...(order.waiting_payment
            ? [
                [
                  t("about.waiting"),
                  <span key="waiting">
                    <Actor actor={order.waiting_payment.marked_by} /> {order.waiting_payment.pay_ref}
                  </span>,
                ] as [string, React.ReactNode],
              ]
            : []),
          ...(order.refused_payment
            ? [
                [
                  t("about.refusedPayment"),
                  <span key="refused">
                    <Actor actor={order.refused_payment.refused_by} /> {order.refused_payment.pay_ref}:{" "}
                    {storedText(order.refused_payment.reason)}
                  </span>,
                ] as [string, React.ReactNode],
              ]
            : []),
          ...(order.plan_version ? [[t("words:planVersion"), order.plan_version] as [string, number]] : []),
        ]}
      />
    </Section>
  );
}

/** Whether an order can be marked as shipped: also one whose receipt was confirmed first. */
const isToDeliver = ({ shown_state, delivered_at }: OrderPage) =>
  shown_state === "paid" || (shown_state === "received" && delivered_at === null);

/** The actions for an order in its present state. The store decides, and rejects an action that comes too late. */
function OrderButtons({ order }: { order: OrderPage }) {
  const isPaid = order.paid_at !== null;
  const hasUnitsLeft = order.lines.some(({ quantity, refunded_quantity }) => quantity > refunded_quantity);
  const hasFreightLeft = Number(order.freight_left) > 0;
  return (
    <>
      {order.waiting_payment && <RefusePaymentButton order={order} />}
      {order.state === "unpaid" && <PayButton order={order} />}
      {isToDeliver(order) && <DeliverButton order={order} />}
      <AskReturnButton order={order} />
      <ReceiveReturnButton order={order} />
      {order.refund_status === 1 && <RefuseButton order={order} />}
      {isPaid && (hasUnitsLeft || hasFreightLeft) && <RefundButton order={order} />}
    </>
  );
}

export function Component() {
  const id = useIdOfPage("id");
  return id === undefined ? <NotFoundPage /> : <OrderPage id={id} />;
}

function OrderPage({ id }: { id: number }) {
  const { t } = useTranslation("orders");
  const result = useAdmin("/adminapi/order/{id}", { params: { path: { id } } });
  return (
    <Page
      key={id}
      title={t("orderTitle", { id })}
      back={{ to: "/orders", label: t("back") }}
      actions={result.data && <OrderButtons order={result.data} />}
    >
      <QueryResult of={result} lines={8}>
        {(order) => (
          <>
            {openRequest(order) && <OrderRefunds order={order} />}
            <AboutOrder order={order} />
            <OrderLines lines={order.lines} />
            <OrderParcels order={order} />
            <SettlementSection order={order} />
            <OrderPayments order={order} />
            {!openRequest(order) && <OrderRefunds order={order} />}
            <ActionsOf type="order" id={id} />
          </>
        )}
      </QueryResult>
    </Page>
  );
}
