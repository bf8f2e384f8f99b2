import i18next from "i18next";

/** A number as a field holds it: empty while somebody types. */
export type FieldNumber = number | "";

/** What is wrong with fields that hold no number. @param fields by their paths */
export function emptyNumbers(fields: Record<string, FieldNumber>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => Number.isNaN(numberOf(value))).map(([path]) => [path, i18next.t("invalid.number")]));
}

/** The number of a field. An empty one is none, which goes out as null and is refused there, and never as 0. */
export function numberOf(field: FieldNumber): number {
  return field === "" ? Number.NaN : field;
}
