import { DECLARED_SETTINGS } from "../../../../../functions/_shared/resources/declared_settings.ts";
import type { DeclaredSetting, SettingName } from "../../../../../functions/_shared/resources/setting.ts";

export type { SettingName };
export type Section = (typeof DECLARED_SETTINGS)[number]["section"];

/** The settings in the order of the page. */
export const settingNames: readonly SettingName[] = DECLARED_SETTINGS.map(({ name }) => name);
export const sections: readonly Section[] = [...new Set(DECLARED_SETTINGS.map(({ section }) => section))];

const byName = new Map<SettingName, DeclaredSetting>(DECLARED_SETTINGS.map((setting) => [setting.name, setting]));
export const declared = (name: SettingName): DeclaredSetting => byName.get(name)!;

export type SettingTexts = Record<SettingName, { label: string; hint: string }>;

type Choice = {
  [Name in SettingName]: Extract<
    (typeof DECLARED_SETTINGS)[number],
    { name: Name; choices: readonly string[] }
  >["choices"][number];
};
/** The settings whose choices have words of their own. Ways to withdraw have those of withdrawals. */
export type ChoiceKey = {
  [Name in Exclude<SettingName, "withdrawal_methods">]: Choice[Name] extends never ? never : `${Name}.${Choice[Name]}`;
}[Exclude<SettingName, "withdrawal_methods">];
