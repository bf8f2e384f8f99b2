import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../ground/paths.ts";

/** A row of docs/guarantees.md: what the store promises, what makes it true, and the tests that fail without it. */
export interface Guarantee {
  subject: string;
  promise: string;
  mechanism: string;
  /** The tests by file. The name of a test in SQL is that of its file. */
  tests: { file: string; names: string[] }[];
}

const testsOf = (cell: string) =>
  [...cell.matchAll(/`((?:test|supabase\/tests)\/[^`]+)`((?:,? "[^"]+"(?: \(long form only\))?)*)/g)].map(
    ([, file, names]) => ({
      file: file!,
      names: [...names!.matchAll(/"([^"]+)"/g)].map(([, name]) => name!),
    }),
  );

const header = "| promise | mechanism | test |";

/** The rows of the tables of promises. The document has tables of figures, too. */
export function readGuarantees(): Guarantee[] {
  const guarantees: Guarantee[] = [];
  let subject = "";
  let isPromise = false;
  for (const line of readFileSync(join(projectRoot, "docs/guarantees.md"), "utf8").split("\n")) {
    if (line.startsWith("## ")) subject = line.slice(3);
    if (!line.startsWith("|")) isPromise = false;
    if (line === header) isPromise = true;
    else if (isPromise && line.startsWith("| ")) {
      const [, promise = "", mechanism = "", tests = ""] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      guarantees.push({ subject, promise, mechanism, tests: testsOf(tests) });
    }
  }
  return guarantees;
}
