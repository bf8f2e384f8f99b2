import { ClipboardList, Share2, TrendingUp, Users } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { BalanceCard, Balances, MainBalance } from "../../components/balance_card.tsx";
import { formatNumber, Money } from "../../components/figures.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { LinkButton } from "../../components/link_button.tsx";
import { Menu, MenuLink } from "../../components/menu.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Refreshable } from "../../components/refreshable.tsx";
import { Section } from "../../components/section.tsx";
import { formatTime } from "../../components/time.tsx";
import { useApi } from "../../store/store.ts";
import { useLevelName } from "../levels/level_name.ts";
import styles from "./team_page.module.css";

type Summary = Api["TeamSummary"];

function Totals({ summary: { direct, umbrella, as_of } }: { summary: Summary }) {
  const { t } = useTranslation("team");
  return (
    <Section title={t("members")}>
      <dl className={styles.totals}>
        {(
          [
            ["direct", direct],
            ["umbrella", umbrella],
          ] as const
        ).map(([depth, { members, orders }]) => (
          <div key={depth}>
            <dt>{t(depth)}</dt>
            <dd className={styles.number}>{formatNumber(members)}</dd>
            <dd className="weak">{t("ordersOf", { number: formatNumber(orders) })}</dd>
          </div>
        ))}
      </dl>
      <p className="weak">{t("asOf", { time: formatTime(as_of) })}</p>
    </Section>
  );
}

/** What the member has earned from their team, and the invitation of more members. */
export function Component() {
  const { t } = useTranslation("team");
  const summary = useApi("/api/spread/summary");
  const next = useLevelName(summary.data?.next_level?.agent_level ?? -1);
  return (
    <Page title={t("title")}>
      <Refreshable>
        <div className={layout.tabbed}>
          <QueryResult of={summary} rows={8}>
            {(shown) => (
              <>
                <BalanceCard label={t("commission")}>
                  <MainBalance name={t("commission")}>
                    <Money value={shown.commission.month} />
                  </MainBalance>
                  <Balances
                    items={[
                      [t("today"), <Money key="today" value={shown.commission.today} />],
                      [t("total"), <Money key="total" value={shown.commission.total} />],
                    ]}
                  />
                  <LinkButton look="inverse" to="/poster">
                    <Share2 size={18} aria-hidden /> {t("poster")}
                  </LinkButton>
                </BalanceCard>
                <Totals summary={shown} />
              </>
            )}
          </QueryResult>
          <Menu label={t("title")}>
            <MenuLink icon={Users} to="/team/people" label={t("people")} />
            <MenuLink icon={ClipboardList} to="/team/orders" label={t("teamOrders")} />
            <MenuLink icon={TrendingUp} to="/levels" label={t("next")} {...(next && { value: next })} />
          </Menu>
        </div>
      </Refreshable>
    </Page>
  );
}
