import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { formatDuration } from "../../../../shared/duration.ts";
import { Facts } from "../../components/facts.tsx";
import { Points } from "../../components/figures.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Section } from "../../components/section.tsx";
import styles from "./forecast.module.css";

type Values = Api["Prospects"]["forecast"];

/**
 * The points that will have been released after certain numbers of days, as bars. The full width is the present frozen
 * balance.
 */
function Bars({ forecast: { frozen_points, forecast } }: { forecast: Values }) {
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

/** What will be released of the frozen points of a member. */
export function Forecast({ forecast }: { forecast: Values }) {
  const { t } = useTranslation("release");
  return (
    <Section title={t("forecast")}>
      {forecast.frozen_points > 0 ? (
        <>
          <Bars forecast={forecast} />
          <Facts items={[[t("half"), formatDuration(forecast.half_released_after_days)]]} />
        </>
      ) : (
        <p>{t("none")}</p>
      )}
      <p className="weak">{t("explanation")}</p>
    </Section>
  );
}
