import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { BalanceCard, Balances, MainBalance } from "../../components/balance_card.tsx";
import { Points } from "../../components/figures.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Refreshable } from "../../components/refreshable.tsx";
import { useApi } from "../../store/store.ts";
import { Forecast } from "./forecast.tsx";

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
            {(shown) => <Forecast forecast={shown} />}
          </QueryResult>
          <p className="center">
            <Link to="/bill?type=frozen_points_release">{t("history")}</Link>
          </p>
        </div>
      </Refreshable>
    </Page>
  );
}
