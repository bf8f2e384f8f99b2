import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { Facts } from "../../components/facts.tsx";
import { formatNumber, Points } from "../../components/figures.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { Tag } from "../../components/tag.tsx";
import { useApi } from "../../store/store.ts";
import styles from "./levels_page.module.css";
import { NextLevel, useName } from "./next_level.tsx";

type OwnLevel = Api["OwnLevel"];
type TaskType = keyof Api["AgentLevel"]["tasks"];

function AllLevels({ own: { levels, agent_level } }: { own: OwnLevel }) {
  const { t } = useTranslation("levels");
  const nameOf = useName();
  return (
    <Section title={t("all")}>
      <ol className={styles.levels}>
        {levels.map((level) => (
          <li
            key={level.grade}
            className={level.grade === agent_level ? styles.current : undefined}
            aria-current={level.grade === agent_level ? "true" : undefined}
          >
            <span className={layout.apart}>
              <strong>{nameOf(level)}</strong>
              {level.grade === agent_level && <Tag look="brand">{t("mine")}</Tag>}
            </span>
            <Facts
              items={[
                [t("directPoints"), <Points key="direct" value={level.direct_points} />],
                [t("umbrellaPoints"), <Points key="umbrella" value={level.umbrella_points} />],
                ...Object.entries(level.tasks).map(
                  ([type, target]) => [t(`task.${type as TaskType}`), formatNumber(target)] as [string, string],
                ),
              ]}
            />
          </li>
        ))}
      </ol>
    </Section>
  );
}

export function Component() {
  const { t } = useTranslation("levels");
  const own = useApi("/api/agent/level");
  return (
    <Page title={t("title")} back="/me">
      <QueryResult of={own} rows={8}>
        {(shown) => (
          <div className={layout.stack}>
            <NextLevel own={shown} />
            <AllLevels own={shown} />
          </div>
        )}
      </QueryResult>
    </Page>
  );
}
