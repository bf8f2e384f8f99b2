import i18next from "i18next";
import type { Admin } from "../../../../client/index.ts";
import { emptyNumbers, type FieldNumber, toPercent, toRatio } from "../../components/field_number.ts";
import {
  emptyTexts,
  listedNumbers,
  wrongAddresses,
  wrongAmounts,
  wrongColours,
  wrongMinutes,
} from "../../components/field_text.ts";
import type { FieldErrors } from "../../components/use_draft.ts";
import { emptyPostal, isEmpty, isWrong, type PostalFields, toAddress, toPostal } from "./postal.ts";
import { declared, type Section, type SettingName, settingNames } from "./settings_table.ts";

/**
 * The value of an input: lists of minutes and shares are edited as texts and percentages, and nothing is an empty text.
 */
export type Field = string | number | boolean | string[] | PostalFields;
type Fields = Partial<Record<SettingName, Field>>;

const wrongOrigins = (origins: Record<string, string[]>): FieldErrors =>
  Object.fromEntries(
    Object.entries(origins)
      .filter(
        ([, list]) =>
          list.length > 20 || !list.every((one) => /^https:\/\/[a-z\d]([a-z\d.-]*[a-z\d])?(:\d{1,5})?$/i.test(one)),
      )
      .map(([path]) => [path, i18next.t("settings:avatarOriginsWrong")]),
  );

function wrongField(name: SettingName, value: Field): FieldErrors {
  if (value === "" && (declared(name).removable || declared(name).kind === "minutes")) return {};
  const text = { [name]: value as string };
  switch (declared(name).kind) {
    case "line":
    case "phone":
    case "zone":
      return emptyTexts(text);
    case "amount":
      return wrongAmounts(text);
    case "share_address":
    case "web_address":
      return wrongAddresses(text);
    case "colour":
      return wrongColours(text);
    case "minutes":
      return wrongMinutes(text);
    case "origins":
      return wrongOrigins({ [name]: value as string[] });
    case "postal":
      return isWrong(value as PostalFields) ? { [name]: i18next.t("settings:postal.wrong") } : {};
    case "integer":
    case "number":
    case "percent":
      return emptyNumbers({ [name]: value as FieldNumber });
    default:
      return {};
  }
}

/** The fields whose input the store would refuse, by what the console knows. */
export const wrongFields = (fields: Fields): FieldErrors =>
  Object.assign(
    {},
    ...Object.entries(fields).map(([name, field]) => wrongField(name as SettingName, field)),
  ) as FieldErrors;

function fieldOf(name: SettingName, value: Admin["Settings"][SettingName]): Field {
  const { kind } = declared(name);
  if (kind === "percent") return toPercent(value as number);
  if (kind === "minutes") return (value as number[]).join(", ");
  if (kind === "postal") return value === null ? emptyPostal : toPostal(value as Admin["Address"]);
  return (value ?? "") as Field;
}

/** The inputs of a section. */
export const fieldsOf = (section: Section, settings: Admin["Settings"]): Fields =>
  Object.fromEntries(
    settingNames
      .filter((name) => declared(name).section === section)
      .map((name) => [name, fieldOf(name, settings[name])]),
  );

/** What is sent for an input. An empty maximum is 0, which removes the limit. */
export function changeOf(name: SettingName, field: Field): unknown {
  const { kind } = declared(name);
  if (kind === "percent") return toRatio(field as FieldNumber);
  if (kind === "minutes") return listedNumbers(field as string);
  if (kind === "postal") return isEmpty(field as PostalFields) ? {} : toAddress(field as PostalFields);
  return kind === "amount" && field === "" ? "0" : field;
}
