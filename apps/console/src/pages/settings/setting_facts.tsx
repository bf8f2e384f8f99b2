import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { formatCount, formatCurrency } from "../../components/figures.tsx";
import { toPercent } from "../../components/field_number.ts";
import { LastChange } from "../../components/last_change.tsx";
import { declared, type SettingName } from "./settings_table.ts";
import { useChoiceWords } from "./use_choice_words.ts";

/** A value in words. */
export function useSettingValue(): (name: SettingName, value: unknown) => string {
  const { t } = useTranslation(["settings", "common", "actions"]);
  const words = useChoiceWords();
  return (name, value) => {
    const { kind } = declared(name);
    if (value === null || (Array.isArray(value) && value.length === 0)) return t("none");
    if (typeof value === "boolean") return t(value ? "common:yes" : "common:no");
    if (Array.isArray(value))
      return value
        .map((one) => (kind === "choices" ? words(name, one as string) : String(one)))
        .join(t("actions:listed"));
    if (kind === "percent") return `${toPercent(value as number)} %`;
    if (kind === "amount") return formatCurrency(value as string);
    if (kind === "choice") return words(name, value as string);
    return typeof value === "number" ? formatCount(value) : (value as string);
  };
}

/** The bounds of a setting in words; empty if it has none. */
function useBounds(): (name: SettingName) => string {
  const { t } = useTranslation("settings");
  return (name) => {
    const { kind, minimum, maximum, no_less_than } = declared(name);
    if (no_less_than !== undefined) return t("noLess", { other: t(`fields.${no_less_than as SettingName}.label`) });
    if (minimum === undefined || maximum === undefined || kind === "minutes") return "";
    const write = (value: number) => {
      if (kind === "amount") return formatCurrency(value.toFixed(2));
      return kind === "percent" ? `${toPercent(value)} %` : value.toLocaleString("en", { maximumFractionDigits: 5 });
    };
    return t("between", { minimum: write(minimum), maximum: write(maximum) });
  };
}

/** What a setting does, its bounds and default, and who changed it last. */
export function SettingFacts({ name, history }: { name: SettingName; history: Admin["SettingsHistory"] | undefined }) {
  const { t } = useTranslation("settings");
  const valueOf = useSettingValue();
  const boundsOf = useBounds();
  const { kind, removable } = declared(name);
  const change = history?.changes[name];
  const sentences = [
    t(`fields.${name}.hint`),
    boundsOf(name),
    removable && t("removable"),
    kind === "minutes" && t("separated"),
    history && t("preset", { value: valueOf(name, history.presets[name]) }),
  ];
  return (
    <>
      {sentences.filter(Boolean).join(" ")}
      {change && (
        <>
          {" "}
          {t("changedLast")}: <LastChange at={change.at} by={change.by} />
        </>
      )}
    </>
  );
}
