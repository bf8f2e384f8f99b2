import type { DECLARED_SETTINGS } from "./declared_settings.ts";

/** A setting of the store, of which app.declared_settings has all. */
export interface DeclaredSetting {
  name: string;
  /** The section of the console's page. */
  section: string;
  kind:
    | "amount"
    | "choice"
    | "choices"
    | "colour"
    | "day"
    | "integer"
    | "line"
    | "minutes"
    | "number"
    | "origins"
    | "percent"
    | "phone"
    | "postal"
    | "share_address"
    | "switch"
    | "web_address"
    | "words"
    | "zone";
  minimum?: number;
  maximum?: number;
  decimals?: number;
  /** Most characters of a text, or entries of a list. */
  longest?: number;
  choices?: readonly string[];
  removable?: true;
  /** The setting that is the lower bound. */
  no_less_than?: string;
  title: string;
  title_zh: string;
  hint: string;
  hint_zh: string;
}

export type SettingName = (typeof DECLARED_SETTINGS)[number]["name"];
