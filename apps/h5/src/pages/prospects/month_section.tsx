import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { Choices } from "../../components/choices.tsx";
import { Facts } from "../../components/facts.tsx";
import { formatMoney, formatNumber, Money, Points } from "../../components/figures.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { formatBusinessDay } from "../../components/time.tsx";
import { useApi } from "../../store/store.ts";
import { DayBars } from "./day_bars.tsx";

type Month = Api["MonthEarnings"];

function Pictures({ shown: { days, commission, points } }: { shown: Month }) {
  const { t } = useTranslation("prospects");
  const earned = days.filter((each) => each.commission !== "0.00" || each.points !== 0);
  if (earned.length === 0) return <p>{t("month.nothing")}</p>;
  return (
    <div className={layout.stack}>
      <div>
        <p className={layout.apart}>
          <span>{t("month.commission")}</span> <Money value={commission} />
        </p>
        <DayBars
          label={t("month.commissionByDay", { amount: formatMoney(commission) })}
          days={days.map(({ day, commission: money }) => ({ day, value: Number(money) }))}
        />
      </div>
      <div>
        <p className={layout.apart}>
          <span>{t("month.points")}</span> <Points value={points} />
        </p>
        <DayBars
          label={t("month.pointsByDay", { points: formatNumber(points) })}
          days={days.map((each) => ({ day: each.day, value: each.points }))}
        />
      </div>
      <details>
        <summary>{t("month.byDay")}</summary>
        <Facts
          items={earned.map((each) => [
            formatBusinessDay(each.day),
            <span key={each.day}>
              <Money value={each.commission} /> · {t("points", { points: formatNumber(each.points) })}
            </span>,
          ])}
        />
      </details>
    </div>
  );
}

/** What orders earned the member on each day of a month. */
export function MonthSection() {
  const { t } = useTranslation("prospects");
  const [parameters, setParameters] = useSearchParams();
  const chosen = parameters.get("month");
  const earnings = useApi("/api/prospects/month", { params: { query: { ...(chosen && { month: chosen }) } } });
  return (
    <Section title={t("month.title")}>
      <QueryResult of={earnings} rows={6}>
        {(shown) => (
          <div className={layout.stack}>
            <Choices
              label={t("month.month")}
              values={[...new Set([shown.month, ...shown.months])].sort().reverse()}
              value={shown.month}
              nameOf={(month) => month}
              onChange={(month) => setParameters({ month }, { replace: true, preventScrollReset: true })}
            />
            <Pictures shown={shown} />
          </div>
        )}
      </QueryResult>
    </Section>
  );
}
