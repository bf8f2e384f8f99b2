import { Group, SimpleGrid, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { NotFoundPage } from "../../app/not_found_page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Actor } from "../../components/actor.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { ExportMenu, OneExportMenu } from "../../components/export_menu.tsx";
import { Currency, formatPoints, Money } from "../../components/figures.tsx";
import { MemberLink } from "../../components/links.tsx";
import { useIdOfPage } from "../../components/ids.ts";
import { CopyText, LongNumber } from "../../components/long_number.tsx";
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
import { OrderTimeline } from "./order_timeline.tsx";
import { AskReturnButton, openRequest, ReceiveReturnButton } from "./order_return.tsx";
import { RefundButton } from "./refund_button.tsx";
import { SettlementSection } from "./settlement_section.tsx";

type OrderPage = Admin["OrderPage"];

/** A line of a description list that only some orders have. */
const given = (isGiven: boolean, name: string, value: React.ReactNode): [string, React.ReactNode][] =>
  isGiven ? [[name, value]] : [];

/** The state, the amount and the buyer of an order, which say what it is. */
function Headline({ order }: { order: OrderPage }) {
  const { t } = useTranslation("orders");
  return (
    <Group gap="md" data-headline>
      <OrderBadges order={order} returned={openRequest(order)?.goods_return?.state ?? null} />
      <Text span fz="xl" fw={650}>
        <Currency value={order.pay_price} />
      </Text>
      {Number(order.refunded) > 0 && (
        <Text span size="sm">
          {t("refundedSum")} <Currency value={order.refunded} /> · {t("amountLeft")}{" "}
          <Currency value={order.amount_left} />
        </Text>
      )}
      <MemberLink uid={order.uid} nickname={order.nickname} />
      <LongNumber number={order.order_no} />
    </Group>
  );
}

/** The buyer, and where the goods go. */
function Buyer({ order: { uid, nickname, referrer_uid, referrer_nickname, address, remark } }: { order: OrderPage }) {
  const { t } = useTranslation(["orders", "words"]);
  const label = address && `${address.name} ${address.phone}\n${addressLine(address)}`;
  return (
    <Section title={t("about.buyer")} actions={label && <CopyText text={label} label={t("about.copyAddress")} />}>
      <DescriptionList
        items={[
          [t("about.buyer"), <MemberLink key="buyer" uid={uid} nickname={nickname} />],
          [t("words:referrer"), <MemberLink key="referrer" uid={referrer_uid} nickname={referrer_nickname} />],
          ...given(address !== null, t("about.recipient"), `${address?.name} ${address?.phone}`),
          ...given(address !== null, t("about.address"), address && addressLine(address)),
          ...given(Boolean(remark), t("about.remark"), remark),
        ]}
      />
    </Section>
  );
}

function AboutOrder({ order }: { order: OrderPage }) {
  const { t } = useTranslation(["orders", "words"]);
  // A provider of another name has no words.
  const payTypeWords = (type: string) =>
    type === "offline" || type === "wechat" || type === "free" ? t(`about.payTypes.${type}`) : type;
  return (
    <Section title={t("about.title")}>
      <DescriptionList
        items={[
          [t("about.goods"), <Money key="goods" value={order.total_price} />],
          ...given(Number(order.discount) > 0, t("about.discount"), <Money value={order.discount} />),
          ...given(
            order.points_spent > 0,
            t("about.points"),
            <>
              <Money value={order.paid_by_points} />{" "}
              <Text span size="sm" c="dimmed">
                {t("about.pointsSpent", {
                  spent: formatPoints(order.points_spent),
                  left: formatPoints(order.points_left),
                })}
              </Text>
            </>,
          ),
          [t("about.freight"), <Money key="freight" value={order.freight} />],
          [t("about.toPay"), <Money key="pay" value={order.pay_price} />],
          [t("queueBase"), <Money key="base" value={order.queue_base} />],
          ...given(order.expires_at !== null, t("about.expiresAt"), <Time value={order.expires_at} />),
          ...given(
            order.pay_type !== null,
            t("about.payment"),
            `${payTypeWords(order.pay_type ?? "")} ${order.pay_ref ?? ""}`,
          ),
          ...given(
            order.waiting_payment !== null,
            t("about.waiting"),
            <>
              <Actor actor={order.waiting_payment?.marked_by ?? null} /> {order.waiting_payment?.pay_ref}
            </>,
          ),
          ...given(
            order.refused_payment !== null,
            t("about.refusedPayment"),
            <>
              <Actor actor={order.refused_payment?.refused_by ?? null} /> {order.refused_payment?.pay_ref}:{" "}
              {storedText(order.refused_payment?.reason ?? "")}
            </>,
          ),
          ...given(order.plan_version !== null, t("words:planVersion"), order.plan_version),
        ]}
      />
    </Section>
  );
}

/** Whether an order can be marked as shipped: also one whose receipt was confirmed first. */
const isToDeliver = ({ shown_state, delivered_at }: OrderPage) =>
  shown_state === "paid" || (shown_state === "received" && delivered_at === null);

/**
 * The actions for an order in its present state. The next one is the only filled button: the answer to an open request
 * comes before a shipment. The store decides, and rejects an action that comes too late.
 */
function OrderButtons({ order }: { order: OrderPage }) {
  const isPaid = order.paid_at !== null;
  const isAsked = openRequest(order) !== undefined;
  const hasUnitsLeft = order.lines.some(({ quantity, refunded_quantity }) => quantity > refunded_quantity);
  const hasFreightLeft = Number(order.freight_left) > 0;
  return (
    <>
      {order.waiting_payment && <RefusePaymentButton order={order} />}
      {order.state === "unpaid" && <PayButton order={order} />}
      {isToDeliver(order) && <DeliverButton order={order} isNext={!isAsked} />}
      <AskReturnButton order={order} />
      <ReceiveReturnButton order={order} />
      {order.refund_status === 1 && <RefuseButton order={order} />}
      {isPaid && (hasUnitsLeft || hasFreightLeft) && <RefundButton order={order} isNext={isAsked} />}
    </>
  );
}

export function Component() {
  const id = useIdOfPage("id");
  if (id === undefined) return <NotFoundPage />;
  return (
    <OneExportMenu>
      <OrderPage id={id} />
    </OneExportMenu>
  );
}

function OrderPage({ id }: { id: number }) {
  const { t } = useTranslation("orders");
  const result = useAdmin("/adminapi/order/{id}", { params: { path: { id } } });
  return (
    <Page
      key={id}
      title={t("orderTitle", { id })}
      about={result.data && <Headline order={result.data} />}
      back={{ to: "/orders", label: t("back") }}
      actions={
        result.data && (
          <>
            <ExportMenu />
            <OrderButtons order={result.data} />
          </>
        )
      }
    >
      <QueryResult of={result} lines={8}>
        {(order) => (
          <>
            {openRequest(order) && <OrderRefunds order={order} />}
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
              <OrderTimeline order={order} />
              <Buyer order={order} />
            </SimpleGrid>
            <OrderLines lines={order.lines} />
            <AboutOrder order={order} />
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
