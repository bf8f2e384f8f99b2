import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { AmountRow } from "../../components/amount_row.tsx";
import { Facts } from "../../components/facts.tsx";
import { formatNumber, formatShare, Money } from "../../components/figures.tsx";
import "../../i18n/later.ts";
import layout from "../../../../shared/member_styles/layout.module.css";
import { LinkButton } from "../../components/link_button.tsx";
import { NoticeBox } from "../../components/notice_box.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Refreshable } from "../../components/refreshable.tsx";
import { Section } from "../../components/section.tsx";
import { useApi } from "../../store/store.ts";
import { NextLevel } from "../levels/next_level.tsx";
import { Forecast } from "../release/forecast.tsx";
import { Person } from "../team/person.tsx";
import { MonthSection } from "./month_section.tsx";

type Prospects = Api["Prospects"];

/** What the next order of one unit would pay, for each product that pays commission. */
function NextOrder({ prospects: { progress, products } }: { prospects: Prospects }) {
  const { t } = useTranslation(["prospects", "plans"]);
  return (
    <Section title={t("next.title")}>
      {!progress.eligible && (
        <NoticeBox role="note" title={t("plans:notEligible.title")}>
          <p>{t("plans:notEligible.advice")}</p>
        </NoticeBox>
      )}
      {progress.next_ratio !== null && <Facts items={[[t("next.ratio"), formatShare(progress.next_ratio)]]} />}
      {products.length === 0 ? (
        <p>{t("next.none")}</p>
      ) : (
        <ul className={layout.rows}>
          {products.map(({ id, title, price, you_would_earn: { commission, points, reason } }) => (
            <AmountRow
              key={id}
              title={title}
              to={`/products/${id}`}
              amounts={
                <>
                  <Money value={commission} signed />
                  <small>{t("points", { points: formatNumber(points) })}</small>
                </>
              }
            >
              <span className="weak">
                <Money value={price} />
                {reason === "below_minimum" && ` · ${t("next.belowMinimum")}`}
              </span>
            </AmountRow>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** The last of the team to join whom the next order can raise to a level. */
function Near() {
  const { t } = useTranslation("prospects");
  const near = useApi("/api/spread/people", {
    params: { query: { depth: "umbrella", one_order_away: true, limit: 5 } },
  });
  return (
    <Section title={t("near.title")}>
      <QueryResult of={near} rows={3}>
        {({ list, next_cursor }) => (
          <>
            <p className="weak">{list.length > 0 || next_cursor !== null ? t("near.text") : t("near.none")}</p>
            <ul className={layout.rows} aria-label={t("near.title")}>
              {list.map((person) => (
                <Person key={person.uid} person={person} />
              ))}
            </ul>
            {next_cursor !== null && (
              <p className="center">
                <Link to="/team/people?depth=umbrella&near=1">{t("near.all")}</Link>
              </p>
            )}
          </>
        )}
      </QueryResult>
    </Section>
  );
}

/**
 * What the member could earn: the next order, the next level, who of the team is about to rise, the month, and the
 * release of points.
 */
export function Component() {
  const { t } = useTranslation("prospects");
  const prospects = useApi("/api/prospects");
  const level = useApi("/api/agent/level");
  return (
    <Page title={t("title")} back="/me">
      <Refreshable>
        <div className={layout.stack}>
          <NoticeBox role="note">{t("estimate")}</NoticeBox>
          {/* Together, so that nothing moves when the second of them arrives. */}
          <QueryResult of={prospects} rows={14}>
            {(shown) => (
              <QueryResult of={level} rows={14}>
                {(own) => (
                  <>
                    <NextOrder prospects={shown} />
                    <NextLevel own={own} />
                    <Near />
                    <MonthSection />
                    <Forecast forecast={shown.forecast} />
                    <LinkButton wide to="/poster">
                      {t("share")}
                    </LinkButton>
                  </>
                )}
              </QueryResult>
            )}
          </QueryResult>
        </div>
      </Refreshable>
    </Page>
  );
}
