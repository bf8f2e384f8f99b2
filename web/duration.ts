import { languageTag } from "./language_tag.ts";

/** The days after which people count years. */
const year = 365;

/** A number of days as people say it: 30 days, 10 years. */
export function formatDuration(days: number): string {
  const [unit, count] = days < year ? ["day", days] : ["year", days / year];
  const text = new Intl.NumberFormat(languageTag(), { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 1 }).format(count);
  // As in all Chinese texts of the sites.
  return text.replace(/(?<=\d)(?=\p{Script=Han})/u, " ");
}
