import { useTranslation } from "react-i18next";
import { declared, type ChoiceKey, type SettingName } from "./settings_table.ts";

/** What a choice of a setting is called. */
export function useChoiceWords(): (name: SettingName, choice: string) => string {
  const { t } = useTranslation(["settings", "withdrawals"]);
  return (name, choice) =>
    name === "withdrawal_methods"
      ? t(`withdrawals:methods.${choice as "bank"}`)
      : t(`choices.${`${name}.${choice}` as ChoiceKey}`);
}

/** The choices of a setting, for an input. */
export function useChoices(name: SettingName): { value: string; label: string }[] {
  const words = useChoiceWords();
  return (declared(name).choices ?? []).map((value) => ({ value, label: words(name, value) }));
}
