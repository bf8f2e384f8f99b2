import { formatNumber } from "./figures.ts";

/** The days after which people count years. */
const year = 365;

const words = { day: { en: ["day", "days"], zh: "天" }, year: { en: ["year", "years"], zh: "年" } } as const;

/**
 * A number of days as people say it: 30 days, 1.5 years. It is written here, because not every phone can in a mini
 * program.
 */
export function durationText(days: number, language: "en" | "zh"): string {
  const unit = days < year ? "day" : "year";
  const count = Number((unit === "day" ? days : days / year).toFixed(1));
  const [one, other] = words[unit].en;
  return `${formatNumber(count)} ${language === "zh" ? words[unit].zh : count === 1 ? one : other}`;
}
