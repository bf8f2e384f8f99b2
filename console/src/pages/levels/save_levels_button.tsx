import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { SaveDraftButton } from "../../parts/save_draft_button.tsx";
import type { Draft } from "../../parts/use_draft.ts";
import { useStore } from "../../store/store.tsx";
import { useAction } from "../../store/use_action.ts";
import { type LevelsForm, levelsOf } from "./levels_draft.ts";

/** Puts the drafted levels in force, after a dialog. */
export function SaveLevelsButton({ draft, version }: { draft: Draft<LevelsForm>; version: number }) {
  const { t } = useTranslation("levels");
  const { admin } = useStore();
  const save = useAction((levels: Admin["AgentLevelDraft"][], key) => admin.PUT("/adminapi/agent/level", { body: { levels, version }, ...key }));
  const words = { noChange: t("noChange"), save: t("save"), title: t("confirm.title"), deed: t("confirm.deed"), meaning: t("confirm.meaning") };
  return <SaveDraftButton draft={draft} save={save} input={() => levelsOf(draft.form.values)} words={words} done={() => t("done")} />;
}
