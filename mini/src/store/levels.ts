import { language } from "../texts/texts.ts";
import { api, ask } from "./store.ts";

let names: Promise<Map<number, string>> | undefined;

/** The names of the levels by grade, in the language of the phone. They are read once for each start of the mini program. */
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
