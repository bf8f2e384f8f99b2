import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";

const designs: readonly Admin["Settings"]["poster_design"][] = ["warm", "light", "dark"];

/** The designs of posters, for an input. */
export function useDesigns(): { value: Admin["Settings"]["poster_design"]; label: string }[] {
  const { t } = useTranslation("settings");
  return designs.map((value) => ({ value, label: t(`designs.${value}`) }));
}
