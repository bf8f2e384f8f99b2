import { Stack, Text } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Money, Points } from "../../components/figures.tsx";
import { type Column, PlainTable } from "../../components/plain_table.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { ProviderStateTag } from "./order_payments.tsx";

/** The refunds and refund requests of an order, newest first. */
export function OrderRefunds({ order: { refunds, lines } }: { order: Admin["OrderPage"] }) {
  const { t } = useTranslation(["orders", "words"]);
  const columns = useMemo<Column<Admin["Refund"]>[]>(() => {
    const goodsOf = ({ line_id, quantity }: Admin["RefundLine"]) =>
      `${lines.find(({ id }) => id === line_id)?.title ?? line_id} × ${quantity}`;
    return [
      { id: "time", title: t("words:time"), cell: ({ created_at }) => <Time value={created_at} />, csv: ({ created_at }) => created_at },
      { id: "state", title: t("words:state"), cell: ({ state }) => t(`refunds.${state}`), csv: ({ state }) => t(`refunds.${state}`) },
      {
        id: "goods",
        title: t("refunds.goods"),
        cell: ({ lines: refunded }) => (
          <Stack gap={0}>
            {refunded.map((line) => (
              <span key={line.line_id}>{goodsOf(line)}</span>
            ))}
          </Stack>
        ),
        csv: ({ lines: refunded }) => refunded.map(goodsOf).join("; "),
      },
      { id: "reason", title: t("words:reason"), cell: ({ reason }) => reason, csv: ({ reason }) => reason },
      {
        id: "amount",
        title: t("refunds.amount"),
        align: "right",
        cell: ({ amount }) => <Money value={amount} />,
        csv: ({ amount }) => amount,
      },
      {
        id: "points",
        title: t("refunds.points"),
        align: "right",
        cell: ({ points }) => <Points value={points} />,
        csv: ({ points }) => points,
      },
      {
        id: "provider",
        title: t("refunds.provider"),
        cell: ({ provider_state }) => (provider_state ? <ProviderStateTag state={provider_state} /> : "–"),
        csv: ({ provider_state }) => provider_state && t(`payments.refundState.${provider_state}`),
      },
      {
        id: "decided",
        title: t("refunds.decided"),
        cell: ({ decided_at }) => <Time value={decided_at} />,
        csv: ({ decided_at }) => decided_at,
      },
    ];
  }, [t, lines]);
  return (
    <Section title={t("refunds.title")}>
      {refunds.length === 0 ? (
        <Text c="dimmed" size="sm">
          {t("refunds.empty")}
        </Text>
      ) : (
        <PlainTable label={t("refunds.title")} columns={columns} rows={refunds} rowId={({ id }) => id} exportAs="refunds of an order" />
      )}
    </Section>
  );
}
