import { useEffect, useState } from "react";
import type { Admin } from "../../../../client/index.ts";
import { type Draft, useDraft } from "../../components/use_draft.ts";
import { emptyFieldsOf, formOf, type LevelsForm } from "./levels_draft.ts";

type Levels = Admin["AgentLevels"];

/** What a draft of the levels began from. */
export interface LevelsBase {
  version: number;
  form: LevelsForm;
}

/** The name of the draft, whichever version it began from. */
export const draftName = "levels";

const key = "store-console-draft-base levels";

export const baseOf = ({ version, list }: Pick<Levels, "version" | "list">): LevelsBase => ({ version, form: formOf(list) });

/** What the draft of an earlier visit began from; without it nobody would know what others have saved since. */
function keptBase(): LevelsBase | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(key) ?? "null") ?? undefined) as LevelsBase | undefined;
  } catch {
    return undefined;
  }
}

/** What the editor shows changes of: the levels in force, or those that a kept draft began from. */
export function useLevelsBase(current: Levels): [LevelsBase, (base: LevelsBase) => void] {
  return useState<LevelsBase>(() => keptBase() ?? baseOf(current));
}

/** The draft of the levels, kept together with what it began from. */
export function useLevelsDraft(base: LevelsBase): Draft<LevelsForm> {
  const draft = useDraft<LevelsForm>(draftName, base.form, emptyFieldsOf);
  const isDirty = draft.form.isDirty();
  useEffect(() => {
    if (isDirty) sessionStorage.setItem(key, JSON.stringify(base));
    else sessionStorage.removeItem(key);
  }, [isDirty, base]);
  return draft;
}
