import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { localDirectory } from "../ground/paths.ts";

/** What became of a mutant. `invalid`: Postgres does not accept it; it does not count. */
export interface Result {
  key: string;
  outcome: "killed" | "survived" | "invalid";
  /** The test that failed. */
  by?: string;
  reason?: "failed" | "error" | "timeout";
  detail?: string;
  /** The number of test files that ran. */
  tests: number;
  seconds: number;
}

/** One result a line, so that an interrupted run loses none. */
const resultsFile = join(localDirectory, "mutation/results.jsonl");

/** The last result of each mutant. */
export function readResults(): Map<string, Result> {
  if (!existsSync(resultsFile)) return new Map();
  const results = readFileSync(resultsFile, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Result);
  return new Map(results.map((result) => [result.key, result]));
}

export function addResult(result: Result): void {
  mkdirSync(dirname(resultsFile), { recursive: true });
  appendFileSync(resultsFile, `${JSON.stringify(result)}\n`);
}
