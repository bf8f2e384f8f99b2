import { Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { formatMoney } from "../../components/figures.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { Section } from "../../components/section.tsx";
import { Pictured } from "../../components/thumbnail.tsx";
import { Ago, Time } from "../../components/time.tsx";
import { ProviderStateTag } from "./order_payments.tsx";
import { GoodsReturn } from "./order_return.tsx";
import { RefundReason } from "./refund_reason.tsx";

const column = columnsOf<Admin["Refund"]>();

/** The refunds and refund requests of an order, newest first. */
export function OrderRefunds({ order: { refunds, lines } }: { order: Admin["OrderPage"] }) {
  const { t } = useTranslation(["orders", "words"]);
  const imageOf = ({ line_id }: Admin["RefundedLine"]) => lines.find(({ id }) => id === line_id)?.image;
  const goodsOf = (line: Admin["RefundedLine"]) => {
    const { title } = line;
    const asked =
      line.asked !== null && line.asked !== line.quantity && `(${t("refunds.asked", { asked: line.asked })})`;
    const goods =
      Number(line.concession) > 0
        ? t("refunds.kept", { title, amount: formatMoney(line.concession) })
        : `${title} × ${line.quantity}`;
    return [goods, asked].filter(Boolean).join(" ");
  };
  const columns = [
    column.time("created_at", t("words:time"), {
      cell: ({ state, created_at }) =>
        state === "requested" ? <Ago value={created_at} /> : <Time value={created_at} />,
    }),
    column.words("state", t("words:state"), ({ state }) => t(`refunds.${state}`)),
    column.custom({
      id: "goods",
      title: t("refunds.goods"),
      cell: ({ lines: refunded }) => (
        <Stack gap={4}>
          {refunded.map((line) => (
            <Pictured key={line.line_id} address={imageOf(line)}>
              {goodsOf(line)}
            </Pictured>
          ))}
        </Stack>
      ),
      csv: ({ lines: refunded }) => refunded.map(goodsOf).join("; "),
    }),
    column.custom({
      id: "reason",
      title: t("words:reason"),
      cell: (refund) => <RefundReason refund={refund} />,
      csv: ({ reason, refusal_reason }) =>
        [reason, refusal_reason && t("refundReason.refusal", { reason: refusal_reason })].filter(Boolean).join("; "),
    }),
    column.custom({
      id: "return",
      title: t("refunds.return"),
      cell: ({ goods_return }) => (goods_return ? <GoodsReturn of={goods_return} /> : "–"),
      csv: ({ goods_return }) => goods_return && t(`words:returnState.${goods_return.state}`),
    }),
    column.money("amount", t("refunds.amount")),
    column.money("freight", t("refunds.freight")),
    column.points("points", t("refunds.points")),
    column.custom({
      id: "provider",
      title: t("refunds.provider"),
      cell: ({ provider_state }) => (provider_state ? <ProviderStateTag state={provider_state} /> : "–"),
      csv: ({ provider_state }) => provider_state && t(`payments.refundState.${provider_state}`),
    }),
    column.time("decided_at", t("refunds.decided")),
  ];
  return (
    <Section title={t("refunds.title")}>
      <PlainTable
        label={t("refunds.title")}
        columns={columns}
        rows={refunds}
        rowId={({ id }) => id}
        empty={t("refunds.empty")}
        exportAs="refunds of an order"
      />
    </Section>
  );
}
