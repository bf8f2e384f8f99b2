import i18next from "i18next";

/** The value of a number field: an empty string while the user is typing. */
export type FieldNumber = number | "";

/** Finds fields without a number. @param fields paths. @returns messages by path */
export function emptyNumbers(fields: Record<string, FieldNumber>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => Number.isNaN(numberOf(value)))
      .map(([path]) => [path, i18next.t("invalid.number")]),
  );
}

// Ratios have five decimals, percentages three. Rounding removes binary representation errors.
export const toPercent = (ratio: number) => Number((ratio * 100).toFixed(3));
export const toRatio = (percent: FieldNumber) => Number((numberOf(percent) / 100).toFixed(5));

/** The number in a field. An empty field is null, which the store rejects. It is never 0. */
export function numberOf(field: FieldNumber): number {
  return field === "" ? Number.NaN : field;
}
