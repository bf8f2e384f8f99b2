import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { formatPoints, Money } from "../../components/figures.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { useApi } from "../../store/store.tsx";

/** The refund requests of an order and their states. */
export function OrderRefunds({ order: { id, paid_at } }: { order: Api["Order"] }) {
  const { t } = useTranslation("refunds");
  const refunds = useApi().useQuery("get", "/api/order/{id}/refund", { params: { path: { id } } }, { enabled: paid_at !== null });
  if (!refunds.data?.list.length) return null;
  return (
    <Section title={t("list")}>
      <ul className="lines">
        {refunds.data.list.map((refund) => (
          <li key={refund.id}>
            <span className="line-foot">
              <span className={refund.state === "refunded" ? "tag brand" : "tag"}>{t(`state.${refund.state}`)}</span>
              <span>
                <Money value={refund.amount} />
                {refund.points > 0 && ` ${t("points", { points: formatPoints(refund.points) })}`}
              </span>
            </span>
            <span className="weak">
              <Time value={refund.decided_at ?? refund.created_at} />
              {refund.reason && ` · ${refund.reason}`}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
