import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { Facts } from "../../components/facts.tsx";
import { formatCount, formatShare, Money } from "../../components/figures.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Refreshable } from "../../components/refreshable.tsx";
import { Section } from "../../components/section.tsx";
import { useApi } from "../../store/store.tsx";

type Progress = Api["BrokerageProgress"];

/** The places of the open cycle: taken ones, the next one, and what each pays. */
function Places({ progress: { cycle_current, tier_ratios } }: { progress: Progress }) {
  const { t } = useTranslation("plans");
  return (
    <ol className="places">
      {tier_ratios.map((ratio, at) => {
        const state = at < cycle_current ? "taken" : at === cycle_current ? "next" : "open";
        return (
          <li key={at} className={state}>
            <span className="place-mark">{state === "taken" ? <Check size={18} strokeWidth={3} aria-hidden /> : at + 1}</span>
            <span className="place-ratio">{formatShare(ratio)}</span>
            <span className="place-state">{t(`place.${state}`)}</span>
          </li>
        );
      })}
    </ol>
  );
}

export function Component() {
  const { t } = useTranslation("plans");
  const progress = useApi().useQuery("get", "/api/hjf/brokerage/progress");
  return (
    <Page title={t("title")} back="/me">
      <Refreshable>
        <QueryResult of={progress} rows={6}>
          {(shown) => (
            <div className="stack">
              <section className="member-card" aria-label={t("total")}>
                <p className="sum-name">{t("total")}</p>
                <p className="sum">
                  <Money value={shown.total_brokerage} />
                </p>
                <p>{t("places", { count: shown.total_places })}</p>
              </section>
              {!shown.eligible && (
                <div className="notice-box" role="note">
                  <strong>{t("notEligible.title")}</strong>
                  <p>{t("notEligible.advice")}</p>
                  <Link to="/" className="link-button">
                    {t("notEligible.action")}
                  </Link>
                </div>
              )}
              <Section title={t("cycle", { number: shown.cycle_no })}>
                <Places progress={shown} />
                <p className="weak">{t("remaining", { count: shown.cycle_remaining })}</p>
              </Section>
              <Section title={t("rules")}>
                <Facts
                  items={
                    [
                      [t("people"), formatCount(shown.people_per_cycle)],
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
