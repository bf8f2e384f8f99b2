import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { formatNumber } from "../../components/figures.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { NoticeBox } from "../../components/notice_box.tsx";
import { ProgressBar } from "../../components/progress_bar.tsx";
import { Section } from "../../components/section.tsx";
import styles from "./next_level.module.css";

/** A level's name in the language of the user. */
export function useName(): (level: { name: string; name_zh: string }) => string {
  const { i18n } = useTranslation("levels");
  return ({ name, name_zh }) => (i18n.language === "zh" ? name_zh : name);
}

/** How far a member is with the tasks of the next level. */
export function NextLevel({ own: { next, levels, is_held } }: { own: Api["OwnLevel"] }) {
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
      {(is_held || next.in_review) && (
        <div className={styles.held}>
          <NoticeBox role="note">{t(is_held ? "held" : "inReview")}</NoticeBox>
        </div>
      )}
      <ul className={styles.tasks}>
        {next.tasks.map(({ type, target, current, met }) => (
          <li key={type}>
            <span className={layout.apart}>
              <span>{t(`task.${type}`)}</span>
              <span className={met && !next.in_review ? styles.done : "weak"}>
                {t("progress", { current: formatNumber(current), target: formatNumber(target) })}
              </span>
            </span>
            <ProgressBar label={t(`task.${type}`)} value={current} target={target} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
