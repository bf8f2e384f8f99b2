import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { BalanceCard, MainBalance } from "../../components/balance_card.tsx";
import { Facts } from "../../components/facts.tsx";
import { formatNumber, formatShare, Money } from "../../components/figures.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { LinkButton } from "../../components/link_button.tsx";
import { NoticeBox } from "../../components/notice_box.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Refreshable } from "../../components/refreshable.tsx";
import { Section } from "../../components/section.tsx";
import { useApi } from "../../store/store.ts";
import styles from "./cycle_page.module.css";

type Progress = Api["BrokerageProgress"];

/** The places of the open cycle: taken ones, the next one, and what each pays. */
function Places({ progress: { cycle_current, tier_ratios } }: { progress: Progress }) {
  const { t } = useTranslation("plans");
  return (
    <ol className={styles.places}>
      {tier_ratios.map((ratio, at) => {
        const state = at < cycle_current ? "taken" : at === cycle_current ? "next" : "open";
        return (
          <li key={at} className={styles[state]}>
            <span className={styles.mark}>
              {state === "taken" ? <Check size={18} strokeWidth={3} aria-hidden /> : at + 1}
            </span>
            <span className={styles.ratio}>{formatShare(ratio)}</span>
            <span>{t(`place.${state}`)}</span>
          </li>
        );
      })}
    </ol>
  );
}

export function Component() {
  const { t } = useTranslation("plans");
  const progress = useApi("/api/hjf/brokerage/progress");
  return (
    <Page title={t("title")} back="/me">
      <Refreshable>
        <QueryResult of={progress} rows={6}>
          {(shown) => (
            <div className={layout.stack}>
              <BalanceCard label={t("total")}>
                <MainBalance name={t("total")}>
                  <Money value={shown.total_brokerage} />
                </MainBalance>
                <p>{t("places", { count: shown.total_places })}</p>
              </BalanceCard>
              {!shown.eligible && (
                <NoticeBox role="note" title={t("notEligible.title")}>
                  <p>{t("notEligible.advice")}</p>
                  <LinkButton to="/">{t("notEligible.action")}</LinkButton>
                </NoticeBox>
              )}
              <Section title={t("cycle", { number: shown.cycle_no })}>
                <Places progress={shown} />
                <p className="weak">{t("remaining", { count: shown.cycle_remaining })}</p>
              </Section>
              <Section title={t("rules")}>
                <Facts
                  items={
                    [
                      [t("people"), formatNumber(shown.people_per_cycle)],
                      [t("nextRatio"), shown.next_ratio !== null && formatShare(shown.next_ratio)],
                      [t("scope.name"), t(`scope.${shown.brokerage_scope}`)],
                      [t("timing.name"), t(`timing.${shown.brokerage_timing}`)],
                    ].filter(([, value]) => value) as [string, string][]
                  }
                />
                <p className="weak">{t("explanation")}</p>
              </Section>
            </div>
          )}
        </QueryResult>
      </Refreshable>
    </Page>
  );
}
