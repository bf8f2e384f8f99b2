import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { SaveDraftButton } from "../../components/save_draft_button.tsx";
import type { Draft } from "../../components/use_draft.ts";
import { failureOf } from "../../../../shared/failure.ts";
import { useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { type LevelsForm, levelsOf } from "./levels_draft.ts";

interface SaveLevelsButtonProps {
  draft: Draft<LevelsForm>;
  /** The version on which the change is based. The store rejects the change if another version is in force. */
  version: number;
  onSaved: (levels: Admin["AgentLevels"]) => void;
  onConflict: () => void;
}

/** Activates the draft, after a confirm dialog. */
export function SaveLevelsButton({ draft, version, onSaved, onConflict }: SaveLevelsButtonProps) {
  const { t } = useTranslation("levels");
  const { admin } = useStore();
  const save = useAction((levels: Admin["AgentLevelDraft"][], key) =>
    admin.PUT("/adminapi/agent/level", { body: { levels, version }, ...key }),
  );
  const words = {
    noChange: t("noChange"),
    save: t("save"),
    title: t("confirm.title"),
    action: t("confirm.action"),
    meaning: t("confirm.meaning"),
  };
  const done = (levels: Admin["AgentLevels"]) => {
    onSaved(levels);
    return t("done");
  };
  const rejected = (error: unknown) => {
    const isConflict = failureOf(error).code === "changed_meanwhile";
    if (isConflict) onConflict();
    return isConflict;
  };
  return (
    <SaveDraftButton
      draft={draft}
      save={save}
      input={() => levelsOf(draft.form.values)}
      words={words}
      done={done}
      rejected={rejected}
    />
  );
}
