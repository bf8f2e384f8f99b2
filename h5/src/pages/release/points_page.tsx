import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { formatDuration } from "../../../../web/duration.ts";
import { BalanceCard, Balances, MainBalance } from "../../components/balance_card.tsx";
import { Facts } from "../../components/facts.tsx";
import { Points } from "../../components/figures.tsx";
import layout from "../../components/layout.module.css";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Refreshable } from "../../components/refreshable.tsx";
import { Section } from "../../components/section.tsx";
import { useApi } from "../../store/store.ts";
import styles from "./points_page.module.css";

type Forecast = Api["PointsForecast"];

/** The points that will have been released after certain numbers of days, as bars. The full width is the present frozen balance. */
function Bars({ forecast: { frozen_points, forecast } }: { forecast: Forecast }) {
  const { t } = useTranslation("release");
  return (
    <ul className={styles.bars}>
      {forecast.map(({ days, release_points }) => (
        <li key={days}>
          <span className={layout.apart}>
            <span>{t("after", { duration: formatDuration(days) })}</span>
            <Points value={release_points} signed />
          </span>
          <span className={styles.bar} aria-hidden>
            <span style={{ width: `${Math.min((release_points / frozen_points) * 100, 100)}%` }} />
          </span>
        </li>
      ))}
    </ul>
  );
}

export function Component() {
  const { t } = useTranslation("release");
  const assets = useApi("/api/hjf/assets/overview");
  const forecast = useApi("/api/hjf/points/forecast");
  return (
    <Page title={t("title")} back="/me">
      <Refreshable>
        <div className={layout.stack}>
          <QueryResult of={assets} rows={4}>
            {({ available_points, frozen_points, today_release, total_points_earned }) => (
              <BalanceCard label={t("title")}>
                <MainBalance name={t("available")}>
                  <Points value={available_points} />
                </MainBalance>
                <Balances
                  items={[
                    [t("frozen"), <Points key="frozen" value={frozen_points} />],
                    [t("today"), <Points key="today" value={today_release} signed />],
                    [t("earned"), <Points key="earned" value={total_points_earned} />],
                  ]}
                />
              </BalanceCard>
            )}
          </QueryResult>
          <QueryResult of={forecast} rows={5}>
            {(shown) => (
              <Section title={t("forecast")}>
                {shown.frozen_points > 0 ? (
                  <>
                    <Bars forecast={shown} />
                    <Facts items={[[t("half"), formatDuration(shown.half_released_after_days)]]} />
                  </>
                ) : (
                  <p>{t("none")}</p>
                )}
                <p className="weak">{t("explanation")}</p>
              </Section>
            )}
          </QueryResult>
          <p className="center">
            <Link to="/bill?type=frozen_points_release">{t("history")}</Link>
          </p>
        </div>
      </Refreshable>
    </Page>
  );
}
