import i18next from "i18next";
import { amountText } from "../../../../functions/_shared/words/amount_text.ts";

type Errors = Record<string, string>;

function wrong(fields: Record<string, string>, isWrong: (value: string) => boolean, message: string): Errors {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => isWrong(value))
      .map(([path]) => [path, message]),
  );
}

/** Finds empty texts. @param fields paths. @returns messages by path */
export const emptyTexts = (fields: Record<string, string>): Errors =>
  wrong(fields, (value) => value.trim() === "", i18next.t("invalid.empty"));

/** Finds texts that are not an amount of money. @param fields paths. @returns messages by path */
export const wrongAmounts = (fields: Record<string, string>): Errors =>
  wrong(fields, (value) => !amountText.test(value.trim()), i18next.t("invalid.amount"));

/**
 * Finds texts that are neither empty nor a positive or negative amount of money.
 * @param fields paths.
 * @returns messages by path
 */
export const wrongChanges = (fields: Record<string, string>): Errors =>
  wrong(fields, (value) => !/^(-?\d{1,9}(\.\d{1,2})?)?$/.test(value.trim()), i18next.t("invalid.change"));

/** Finds texts that are not a web address. @param fields paths. @returns messages by path */
export const wrongAddresses = (fields: Record<string, string>): Errors =>
  wrong(fields, (value) => !/^https?:\/\/\S+$/i.test(value.trim()), i18next.t("invalid.address"));

/** Finds texts that are not a colour. @param fields paths. @returns messages by path */
export const wrongColours = (fields: Record<string, string>): Errors =>
  wrong(fields, (value) => !/^#[0-9a-f]{6}$/i.test(value.trim()), i18next.t("invalid.colour"));

/** The numbers of a text such as "1, 5, 10". What is no number is NaN. */
export const listedNumbers = (text: string): number[] =>
  text
    .split(/[\s,，、]+/)
    .filter((part) => part !== "")
    .map(Number);

/**
 * Finds texts that do not list at most ten whole numbers of minutes within a day.
 * @param fields paths.
 * @returns messages by path
 */
export const wrongMinutes = (fields: Record<string, string>): Errors =>
  wrong(
    fields,
    (value) =>
      listedNumbers(value).length > 10 ||
      !listedNumbers(value).every((minutes) => Number.isInteger(minutes) && minutes >= 1 && minutes <= 1440),
    i18next.t("invalid.minutes"),
  );

/** Finds texts that are neither empty nor a whole number. @param fields paths. @returns messages by path */
export const wrongCounts = (fields: Record<string, string>): Errors =>
  wrong(fields, (value) => !/^\d{0,10}$/.test(value.trim()), i18next.t("invalid.count"));
