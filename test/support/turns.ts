import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { longest } from "./longest_first.ts";

/** In every run: the two commands of the README, the life of a new member, the examples of docs/money.md, and calls of which each run draws others. */
const always = ["stack/readme.test.ts", "browser/h5_journey.test.ts", "contract/worked_examples.test.ts", "contract/bad_arguments.test.ts"];

/** Files of test/api that see no success of an operation. A complete run needs all others, because it fails for an operation without a success. */
const withoutSuccesses = ["api/every_route_input.test.ts", "api/database_tls.test.ts"];

/** The long files that take turns: those that no guarantee of docs/guarantees.md names, no success of an operation needs, and not every run has. */
export function filesInTurns(): string[] {
  const guarantees = readFileSync(join(projectRoot, "docs/guarantees.md"), "utf8");
  return Object.keys(longest)
    .filter((name) => (!name.startsWith("api/") || withoutSuccesses.includes(name)) && !always.includes(name))
    .map((name) => `test/${name}`)
    .filter((path) => !guarantees.includes(path));
}

/**
 * As many successive runs run everything. A file that runs once in this many seeds meets all of its parts that take turns by seed, too: halves, quarters
 * and tenths (size.ts).
 */
export const turns = 17;

const secondsOf = (path: string) => longest[path.replace("test/", "")]!;

/** The files of each turn: the longest first, each is given to the turn that takes least, so that all take about as long (decision 0152). */
export function filesOfTurns(): string[][] {
  const dealt = Array.from({ length: turns }, () => ({ files: [] as string[], seconds: 0 }));
  for (const path of filesInTurns().sort((a, b) => secondsOf(b) - secondsOf(a))) {
    const least = dealt.reduce((best, turn) => (turn.seconds < best.seconds ? turn : best));
    least.files.push(path);
    least.seconds += secondsOf(path);
  }
  return dealt.map(({ files }) => files);
}

/**
 * The files that a complete run of the short form leaves to later turns.
 * @param turn a whole number; the seed of the run
 */
export function leftToLaterTurns(turn: number): string[] {
  const files = filesOfTurns()[turn % turns]!;
  return filesInTurns().filter((path) => !files.includes(path));
}
