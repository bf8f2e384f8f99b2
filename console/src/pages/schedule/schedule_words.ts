import cronstrue from "cronstrue";
import "cronstrue/locales/zh_CN";
import { useTranslation } from "react-i18next";

/** Describes a schedule in words; undefined if it is invalid. */
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
