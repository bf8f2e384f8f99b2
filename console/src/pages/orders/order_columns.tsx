import { Group } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import type { Column } from "../../components/data_table.tsx";
import { Count, Money } from "../../components/figures.tsx";
import { MemberLink, memberCsv, OrderLink } from "../../components/links.tsx";
import { Time } from "../../components/time.tsx";
import { OrderStateBadge, RefundBadge } from "./order_badges.tsx";

type Order = Admin["AdminOrder"];

/** The columns of a list of orders. @param withBuyer for orders of several members */
export function useOrderColumns(withBuyer: boolean): Column<Order>[] {
  const { t } = useTranslation(["orders", "words"]);
  return useMemo(
    () => [
      { id: "id", title: t("words:order"), cell: ({ id }) => <OrderLink id={id} />, csv: ({ id }) => id },
      {
        id: "no",
        title: t("words:orderNo"),
        cell: ({ order_no }) => <span className="figures">{order_no}</span>,
        csv: ({ order_no }) => order_no,
      },
      ...(withBuyer
        ? [
            {
              id: "buyer",
              title: t("about.buyer"),
              cell: ({ uid, nickname }: Order) => <MemberLink uid={uid} nickname={nickname} />,
              csv: ({ uid, nickname }: Order) => memberCsv(uid, nickname),
            },
          ]
        : []),
      {
        id: "state",
        title: t("state"),
        cell: ({ state, refund_status }) => (
          <Group gap={4}>
            <OrderStateBadge state={state} />
            <RefundBadge status={refund_status} />
          </Group>
        ),
        csv: ({ state, refund_status }) =>
          [t(`words:orderState.${state}`), refund_status > 0 && t(`words:refundStatus.${String(refund_status) as "1"}`)]
            .filter(Boolean)
            .join(", "),
      },
      {
        id: "paid",
        title: t("paidPrice"),
        align: "right",
        cell: ({ pay_price }) => <Money value={pay_price} />,
        csv: ({ pay_price }) => pay_price,
      },
      {
        id: "base",
        title: t("queueBase"),
        align: "right",
        cell: ({ queue_base }) => <Money value={queue_base} />,
        csv: ({ queue_base }) => queue_base,
      },
      {
        id: "units",
        title: t("units"),
        align: "right",
        cell: ({ queue_units }) => <Count value={queue_units} />,
        csv: ({ queue_units }) => queue_units,
      },
      {
        id: "referrer",
        title: t("words:referrer"),
        cell: ({ referrer_uid, referrer_nickname }) => <MemberLink uid={referrer_uid} nickname={referrer_nickname} />,
        csv: ({ referrer_uid, referrer_nickname }) => memberCsv(referrer_uid, referrer_nickname),
      },
      { id: "ordered", title: t("ordered"), cell: ({ add_time }) => <Time value={add_time} />, csv: ({ add_time }) => add_time },
    ],
    [t, withBuyer],
  );
}
