import { readdirSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../scripts/ground/paths.ts";

/** The folders of tests, and those below scripts/ of what tests share with commands. */
const folders = [
  "test",
  "supabase/tests",
  ...["bench", "faults", "histories", "model", "testing"].map((name) => `scripts/${name}`),
];

/** The files of tests and of what they share whose names match, from the root of the project. */
export const testSources = (wanted: RegExp): string[] =>
  folders.flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name}`)
      .filter((path) => wanted.test(path)),
  );
