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
