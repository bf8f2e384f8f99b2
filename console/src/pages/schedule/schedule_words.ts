import cronstrue from "cronstrue";
import "cronstrue/locales/zh_CN";
import { useTranslation } from "react-i18next";

/** Tells a schedule in words; undefined where it is none. */
export function useScheduleInWords(): (schedule: string) => string | undefined {
  const { i18n } = useTranslation();
  return (schedule) => {
    try {
      return cronstrue.toString(schedule, { locale: i18n.language === "zh" ? "zh_CN" : "en", use24HourTimeFormat: true, verbose: true });
    } catch {
      return undefined;
    }
  };
}

/** The title of a job in the language of the moment. */
export function useJobTitle(): (job: { title: string; title_zh: string }) => string {
  const { i18n } = useTranslation();
  return ({ title, title_zh }) => (i18n.language === "zh" && title_zh ? title_zh : title);
}
