import { Stack, Text } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Clipped } from "../../components/clipped.tsx";
import { Count, Money } from "../../components/figures.tsx";
import { type Column, PlainTable } from "../../components/plain_table.tsx";
import { Section } from "../../components/section.tsx";
import { Tag } from "../../components/tag.tsx";
import { Time } from "../../components/time.tsx";

type OrderPage = Admin["OrderPage"];

/** The goods of an order, as they were when it was made. */
export function OrderLines({ lines }: { lines: OrderPage["lines"] }) {
  const { t } = useTranslation("orders");
  const columns = useMemo<Column<Admin["OrderLine"]>[]>(() => [
    { id: "product", title: t("lines.product"), cell: ({ title, is_queue_goods }) => <><Clipped text={title} /> {is_queue_goods && <Tag ml={4}>{t("lines.queueGoods")}</Tag>}</>, csv: ({ title }) => title },
    { id: "price", title: t("lines.price"), align: "right", cell: ({ price }) => <Money value={price} />, csv: ({ price }) => price },
    { id: "quantity", title: t("lines.quantity"), align: "right", cell: ({ quantity }) => <Count value={quantity} />, csv: ({ quantity }) => quantity },
    { id: "paid", title: t("lines.paid"), align: "right", cell: ({ paid }) => <Money value={paid} />, csv: ({ paid }) => paid },
    { id: "refunded", title: t("lines.refunded"), align: "right", cell: ({ refunded_quantity }) => <Count value={refunded_quantity} />, csv: ({ refunded_quantity }) => refunded_quantity },
  ], [t]);
  return <Section title={t("lines.title")}><PlainTable label={t("lines.title")} columns={columns} rows={lines} rowId={({ id }) => id} exportAs="goods of an order" /></Section>;
}

/** What was asked for and what was refunded, newest first. */
export function Refunds({ order: { refunds, lines } }: { order: OrderPage }) {
  const { t } = useTranslation(["orders", "words"]);
  const columns = useMemo<Column<Admin["Refund"]>[]>(() => {
    const goodsOf = ({ line_id, quantity }: Admin["RefundLine"]) => `${lines.find(({ id }) => id === line_id)?.title ?? line_id} × ${quantity}`;
    return [
      { id: "time", title: t("words:time"), cell: ({ created_at }) => <Time value={created_at} />, csv: ({ created_at }) => created_at },
      { id: "state", title: t("words:state"), cell: ({ state }) => t(`refunds.${state}`), csv: ({ state }) => t(`refunds.${state}`) },
      { id: "goods", title: t("refunds.goods"), cell: ({ lines: refunded }) => <Stack gap={0}>{refunded.map((line) => <span key={line.line_id}>{goodsOf(line)}</span>)}</Stack>, csv: ({ lines: refunded }) => refunded.map(goodsOf).join("; ") },
      { id: "reason", title: t("words:reason"), cell: ({ reason }) => reason, csv: ({ reason }) => reason },
      { id: "amount", title: t("refunds.amount"), align: "right", cell: ({ amount }) => <Money value={amount} />, csv: ({ amount }) => amount },
      { id: "decided", title: t("refunds.decided"), cell: ({ decided_at }) => <Time value={decided_at} />, csv: ({ decided_at }) => decided_at },
    ];
  }, [t, lines]);
  return (
    <Section title={t("refunds.title")}>
      {refunds.length === 0
        ? <Text c="dimmed" size="sm">{t("refunds.empty")}</Text>
        : <PlainTable label={t("refunds.title")} columns={columns} rows={refunds} rowId={({ id }) => id} exportAs="refunds of an order" />}
    </Section>
  );
}
