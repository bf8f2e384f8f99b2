import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { Facts } from "../../components/facts.tsx";
import { formatCount, Points } from "../../components/figures.tsx";
import layout from "../../components/layout.module.css";
import { NoticeBox } from "../../components/notice_box.tsx";
import { Page } from "../../components/page.tsx";
import { ProgressBar } from "../../components/progress_bar.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { Tag } from "../../components/tag.tsx";
import { useApi } from "../../store/store.ts";
import styles from "./levels_page.module.css";

type OwnLevel = Api["OwnLevel"];
type TaskType = keyof Api["AgentLevel"]["tasks"];

/** A level's name in the language of the user. */
function useName(): (level: { name: string; name_zh: string }) => string {
  const { i18n } = useTranslation("levels");
  return ({ name, name_zh }) => (i18n.language === "zh" ? name_zh : name);
}

function NextLevel({ own: { next, levels, is_held } }: { own: OwnLevel }) {
  const { t } = useTranslation("levels");
  const nameOf = useName();
  const level = levels.find(({ grade }) => grade === next?.agent_level);
  if (!next || !level)
    return (
      <Section title={t("next.title")}>
        <p>{t("next.top")}</p>
      </Section>
    );
  return (
    <Section title={t("next.to", { level: nameOf(level) })}>
      {is_held && (
        <div className={styles.held}>
          <NoticeBox role="note">{t("held")}</NoticeBox>
        </div>
      )}
      <ul className={styles.tasks}>
        {next.tasks.map(({ type, target, current, met }) => (
          <li key={type}>
            <span className={layout.apart}>
              <span>{t(`task.${type}`)}</span>
              <span className={met ? styles.done : "weak"}>
                {t("progress", { current: formatCount(current), target: formatCount(target) })}
              </span>
            </span>
            <ProgressBar label={t(`task.${type}`)} value={current} target={target} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

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
                  ([type, target]) => [t(`task.${type as TaskType}`), formatCount(target)] as [string, string],
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
