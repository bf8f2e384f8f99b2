import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { formatMoney, formatNumber, Money } from "../../components/figures.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Lines } from "../../components/lines.tsx";
import { Section } from "../../components/section.tsx";
import { Tag, Tags } from "../../components/tag.tsx";
import "../../i18n/later.ts";
import { freightKept, isRefundedElsewhere } from "../../../../shared/refunds.ts";
import { useApi } from "../../store/store.ts";
import { GoodsReturn, isReturning } from "./goods_return.tsx";
import { RefundPictures } from "./refund_pictures.tsx";
import { RefundSteps } from "./refund_steps.tsx";
import { RefundedLines } from "./refunded_lines.tsx";
import { TakeBack } from "./take_back.tsx";

/** The refund requests of an order and their states. */
export function OrderRefunds({ order }: { order: Api["Order"] }) {
  const { id, paid_at } = order;
  const { t } = useTranslation("refunds");
  const refunds = useApi("/api/order/{id}/refund", { params: { path: { id } } }, { enabled: paid_at !== null });
  if (!refunds.data?.list.length) return null;
  const kept = freightKept(order, refunds.data.list);
  return (
    <Section title={t("list")}>
      <Lines>
        {refunds.data.list.map((refund) => (
          <li key={refund.id}>
            <span className={layout.apart}>
              <Tags>
                <Tag look={refund.state === "refunded" || refund.state === "partly_refunded" ? "brand" : "tag"}>
                  {isRefundedElsewhere(refund) ? t("elsewhereState") : t(`state.${refund.state}`)}
                </Tag>
                {refund.goods_return && (
                  <Tag look={isReturning(refund) ? "warm" : "tag"}>
                    {t(`return.state.${refund.goods_return.state}`)}
                  </Tag>
                )}
              </Tags>
              <span>
                {refund.state === "requested" && <span className="weak">{t("expected")} </span>}
                {!isRefundedElsewhere(refund) && <Money value={refund.amount} />}
                {refund.points > 0 && ` ${t("points", { points: formatNumber(refund.points) })}`}
              </span>
            </span>
            {refund.reason && <span className="weak">{refund.reason}</span>}
            <RefundedLines refund={refund} />
            {refund.refusal_reason && <span>{t("refusalReason", { reason: refund.refusal_reason })}</span>}
            <RefundSteps refund={refund} />
            <RefundPictures refund={refund} />
            <GoodsReturn refund={refund} />
            <TakeBack refund={refund} />
          </li>
        ))}
      </Lines>
      {kept && <p className="weak">{t("freightKept", { amount: formatMoney(kept) })}</p>}
    </Section>
  );
}
