import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { formatMoney, formatNumber, Money } from "../../components/figures.tsx";
import layout from "../../components/layout.module.css";
import { Lines } from "../../components/lines.tsx";
import { Section } from "../../components/section.tsx";
import { Tag, Tags } from "../../components/tag.tsx";
import { Time } from "../../components/time.tsx";
import { useApi } from "../../store/store.ts";
import { GoodsReturn, isReturning } from "./goods_return.tsx";
import { Granted } from "./granted.tsx";
import { RefundPictures } from "./refund_pictures.tsx";
import { TakeBack } from "./take_back.tsx";

/** The refund requests of an order and their states. */
export function OrderRefunds({ order: { id, paid_at, lines } }: { order: Api["Order"] }) {
  const { t } = useTranslation("refunds");
  const refunds = useApi("/api/order/{id}/refund", { params: { path: { id } } }, { enabled: paid_at !== null });
  if (!refunds.data?.list.length) return null;
  const titleOf = (line: number) => lines.find((each) => each.id === line)?.title ?? line;
  /** What was paid back besides units: amounts of goods that are kept, and freight. */
  const besides = ({ lines: named, freight }: Api["Refund"]) => [
    ...named
      .filter(({ concession }) => Number(concession) > 0)
      .map(({ line_id, concession }) => t("kept", { title: titleOf(line_id), amount: formatMoney(concession) })),
    ...(Number(freight) > 0 ? [t("freight", { amount: formatMoney(freight) })] : []),
  ];
  return (
    <Section title={t("list")}>
      <Lines>
        {refunds.data.list.map((refund) => (
          <li key={refund.id}>
            <span className={layout.apart}>
              <Tags>
                <Tag look={refund.state === "refunded" || refund.state === "partly_refunded" ? "brand" : "tag"}>
                  {t(`state.${refund.state}`)}
                </Tag>
                {refund.goods_return && (
                  <Tag look={isReturning(refund) ? "warm" : "tag"}>{t(`return.state.${refund.goods_return.state}`)}</Tag>
                )}
              </Tags>
              <span>
                <Money value={refund.amount} />
                {refund.points > 0 && ` ${t("points", { points: formatNumber(refund.points) })}`}
              </span>
            </span>
            <span className="weak">
              <Time value={refund.decided_at ?? refund.created_at} />
              {refund.reason && ` · ${refund.reason}`}
            </span>
            <Granted refund={refund} lines={lines} />
            {besides(refund).map((text) => (
              <span key={text} className="weak">
                {text}
              </span>
            ))}
            <RefundPictures refund={refund} />
            <GoodsReturn refund={refund} />
            <TakeBack refund={refund} />
          </li>
        ))}
      </Lines>
    </Section>
  );
}
