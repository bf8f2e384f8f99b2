import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { formatCount, formatCurrency } from "../../components/figures.tsx";
import { toPercent } from "../../components/field_number.ts";
import { LastChange } from "../../components/last_change.tsx";
import type { Area } from "../../session/own_areas.ts";
import { kindOf, schemaOf, type SettingName } from "./settings_table.ts";

/** A value in words. */
function useValue(): (name: SettingName, value: unknown) => string {
  const { t } = useTranslation(["settings", "common", "withdrawals", "actions"]);
  return (name, value) => {
    if (value === null || (Array.isArray(value) && value.length === 0)) return t("none");
    if (typeof value === "boolean") return t(value ? "common:yes" : "common:no");
    if (Array.isArray(value))
      return value
        .map((one) => {
          if (name === "withdrawal_methods") return t(`withdrawals:methods.${one as "bank"}`);
          return name === "second_factor_areas" ? t(`areas.${one as Area}`) : String(one);
        })
        .join(t("actions:listed"));
    if (kindOf(name) === "percent") return `${toPercent(value as number)} %`;
    if (kindOf(name) === "amount") return formatCurrency(value as string);
    if (kindOf(name) === "tax") return t(`taxMethods.${value as Admin["Settings"]["tax_method"]}`);
    if (kindOf(name) === "check") return t(`realNameChecks.${value as Admin["Settings"]["real_name_check"]}`);
    if (kindOf(name) === "design") return t(`designs.${value as Admin["Settings"]["poster_design"]}`);
    return typeof value === "number" ? formatCount(value) : (value as string);
  };
}

/** The bounds of a setting in words; empty if it has none. */
function useBounds(): (name: SettingName) => string {
  const { t } = useTranslation("settings");
  return (name) => {
    const { minimum, maximum, exclusiveMaximum, "x-minimum": least, "x-maximum": most } = schemaOf[name];
    const write = (value: number) => (kindOf(name) === "percent" ? `${toPercent(value)} %` : value.toLocaleString("en"));
    if (least !== undefined && most !== undefined) return t("between", { minimum: formatCurrency(least), maximum: formatCurrency(most) });
    if (minimum !== undefined && maximum !== undefined) return t("between", { minimum: write(minimum), maximum: write(maximum) });
    if (minimum !== undefined && exclusiveMaximum !== undefined)
      return t("below", { minimum: write(minimum), maximum: write(exclusiveMaximum) });
    return "";
  };
}

/** What a setting does, its bounds and default, and who changed it last. */
export function SettingFacts({ name, history }: { name: SettingName; history: Admin["SettingsHistory"] | undefined }) {
  const { t } = useTranslation("settings");
  const valueOf = useValue();
  const boundsOf = useBounds();
  const change = history?.changes[name];
  return (
    <>
      {t(`fields.${name}.hint`)} {boundsOf(name)} {history && t("preset", { value: valueOf(name, history.presets[name]) })}
      {change && (
        <>
          {" "}
          {t("changedLast")}: <LastChange at={change.at} by={change.by} />
        </>
      )}
    </>
  );
}
