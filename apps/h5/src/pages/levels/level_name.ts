import { useTranslation } from "react-i18next";
import { useApi } from "../../store/store.ts";

/**
 * The name of a level in the language of the user; undefined until it is known, or when the level is no longer active.
 */
export function useLevelName(grade: number): string | undefined {
  const { i18n } = useTranslation("levels");
  const level = useApi("/api/agent/level", {}, { staleTime: 60_000 }).data?.levels.find((each) => each.grade === grade);
  return i18n.language === "zh" ? level?.name_zh : level?.name;
}
