import i18next from "i18next";

type Errors = Record<string, string>;

function wrong(fields: Record<string, string>, isWrong: (value: string) => boolean, message: string): Errors {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isWrong(value)).map(([path]) => [path, message]));
}

/** What is wrong with texts that are left empty. @param fields by their paths */
export const emptyTexts = (fields: Record<string, string>): Errors => wrong(fields, (value) => value.trim() === "", i18next.t("invalid.empty"));

/** What is wrong with texts that are no amount of money. @param fields by their paths */
export const wrongAmounts = (fields: Record<string, string>): Errors => wrong(fields, (value) => !/^\d{1,12}(\.\d{1,2})?$/.test(value.trim()), i18next.t("invalid.amount"));

/** What is wrong with texts that are no address of the web. @param fields by their paths */
export const wrongAddresses = (fields: Record<string, string>): Errors => wrong(fields, (value) => !/^https?:\/\/\S+$/i.test(value.trim()), i18next.t("invalid.address"));

/** What is wrong with texts that are neither empty nor a whole number. @param fields by their paths */
export const wrongCounts = (fields: Record<string, string>): Errors => wrong(fields, (value) => !/^\d{0,10}$/.test(value.trim()), i18next.t("invalid.count"));
