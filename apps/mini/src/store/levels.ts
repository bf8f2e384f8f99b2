import type { Api } from "../../../client/index.ts";
import { formatNumber } from "../../../../functions/_shared/words/figures.ts";
import { fill, language, texts } from "../texts/texts.ts";
import { api, ask } from "./store.ts";

let names: Promise<Map<number, string>> | undefined;

/**
 * The names of the levels by grade, in the language of the phone. They are read once for each start of the mini
 * program.
 */
export function levelNames(): Promise<Map<number, string>> {
  names ??= ask(() => api.GET("/api/agent/level")).then(
    ({ levels }) => new Map(levels.map(({ grade, name, name_zh }) => [grade, language === "zh" ? name_zh : name])),
    (error: unknown) => {
      names = undefined;
      throw error;
    },
  );
  return names;
}

/** The tasks of a level by name, with how far the member is. */
export const tasksOf = (
  tasks: Pick<NonNullable<Api["OwnLevel"]["next"]>["tasks"][number], "type" | "current" | "target">[],
) =>
  tasks.map(({ type, current, target }): [string, string] => [
    texts.levels.task[type],
    fill(texts.levels.progress, { current: formatNumber(current), target: formatNumber(target) }),
  ]);
