import { useTranslation } from "react-i18next";

/** The title of a job in the present language. */
export function useScheduledJobTitle(): (job: { title: string; title_zh: string }) => string {
  const { i18n } = useTranslation();
  return ({ title, title_zh }) => (i18n.language === "zh" && title_zh ? title_zh : title);
}
