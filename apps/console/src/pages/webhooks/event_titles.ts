import { useTranslation } from "react-i18next";
import { EVENT_TYPES, type EventType } from "../../../../../functions/_shared/notices/event_types.ts";

/** What a type of event is called in the present language. What is no event of the catalogue has words of its own. */
export function useEventTitle(): (type: string) => string {
  const { t, i18n } = useTranslation("webhooks");
  return (type) => {
    if (type === "webhook.gap" || type === "webhook.test") return t(type === "webhook.gap" ? "gap" : "test.name");
    const known = EVENT_TYPES[type as EventType] as (typeof EVENT_TYPES)[EventType] | undefined;
    return known ? (i18n.language === "zh" ? known.title_zh : known.title) : type;
  };
}
