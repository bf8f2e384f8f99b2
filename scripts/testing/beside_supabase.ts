import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../ground/paths.ts";

/** Why a test file cannot run beside a stack that somebody else has started, and what shows it. */
const OBSTACLES: [reason: string, file: (path: string, text: string) => boolean][] = [
  ["they use more than the API and its database", (path) => !/^test\/(?:api|e2e)\//.test(path)],
  [
    "they copy databases, for which a superuser has to make a template",
    (_path, text) => /\b(?:cloneDatabase|MailStore\.start)\(/.test(text),
  ],
  [
    "they use files and servers of the stack of `npm test`",
    (_path, text) => /\b(?:testContext|lacking|newPlace|createPhoneSignIn)\(/.test(text),
  ],
];

/** How many files cannot run beside a stack that somebody else has started, and why. */
export interface LeftOut {
  reason: string;
  count: number;
}

/** Which of some test files run beside a stack that somebody else has started. */
export function besideSupabase(paths: string[]): { run: string[]; leftOut: LeftOut[] } {
  const obstacleOf = (path: string) => {
    const text = readFileSync(join(projectRoot, path), "utf8");
    return OBSTACLES.find(([, applies]) => applies(path, text))?.[0];
  };
  const reasons = paths.map(obstacleOf);
  return {
    run: paths.filter((_path, index) => reasons[index] === undefined),
    leftOut: OBSTACLES.map(([reason]) => ({ reason, count: reasons.filter((each) => each === reason).length })).filter(
      ({ count }) => count > 0,
    ),
  };
}

/** The text that says how many files were left out. */
export function describeLeftOut(leftOut: LeftOut[]): string {
  return [
    "Files left out with --supabase. They do not count as passed:",
    ...leftOut.map(({ reason, count }) => `  - ${count}: ${reason}`),
  ].join("\n");
}
