import { useEffect, useState } from "react";
import type { Admin } from "../../../../client/index.ts";
import { type Draft, useDraft } from "../../components/use_draft.ts";
import { emptyFieldsOf, formOf, type LevelsForm } from "./levels_draft.ts";

type Levels = Admin["AgentLevels"];

/** The levels on which a draft is based. */
export interface LevelsBase {
  version: number;
  form: LevelsForm;
}

/** The name of the draft. It is the same for all versions. */
export const draftName = "levels";

const key = "store-console-draft-base levels";

export const baseOf = ({ version, list }: Pick<Levels, "version" | "list">): LevelsBase => ({
  version,
  form: formOf(list),
});

/** The levels on which the draft of an earlier visit is based. They show what others have saved since. */
function keptBase(): LevelsBase | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(key) ?? "null") ?? undefined) as LevelsBase | undefined;
  } catch {
    return undefined;
  }
}

/** The base of the editor: the levels in force, or the base of an existing draft. */
export function useLevelsBase(current: Levels): [LevelsBase, (base: LevelsBase) => void] {
  return useState<LevelsBase>(() => keptBase() ?? baseOf(current));
}

/** The draft of the levels, stored together with its base. */
export function useLevelsDraft(base: LevelsBase): Draft<LevelsForm> {
  const draft = useDraft<LevelsForm>(draftName, base.form, emptyFieldsOf);
  const isDirty = draft.form.isDirty();
  useEffect(() => {
    if (isDirty) sessionStorage.setItem(key, JSON.stringify(base));
    else sessionStorage.removeItem(key);
  }, [isDirty, base]);
  return draft;
}
