import i18next from "i18next";
import { durationText } from "../../functions/_shared/words/duration.ts";

/** A number of days as people say it in the current language: 30 days, 10 years. */
export const formatDuration = (days: number): string => durationText(days, i18next.language === "zh" ? "zh" : "en");
