import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { longest } from "./longest_first.ts";
import { isInTurn } from "./size.ts";

/** In every run: the two commands of the README, the life of a new member, and calls of which each run draws others. */
const always = ["stack/readme.test.ts", "stack/start_and_stop.test.ts", "browser/h5_journey.test.ts", "contract/bad_arguments.test.ts"];

/** The long files that no guarantee of docs/guarantees.md names. A complete run needs all of test/api, for a success of each operation. */
export function filesInTurns(): string[] {
  const guarantees = readFileSync(join(projectRoot, "docs/guarantees.md"), "utf8");
  return longest
    .filter((name) => !name.startsWith("api/") && !always.includes(name))
    .map((name) => `test/${name}`)
    .filter((path) => !guarantees.includes(path));
}

/** As many successive runs run everything. */
export const turns = 6;

/**
 * The files that a complete run of the short form leaves to later turns: five of six that take turns. They are sorted by duration,
 * so that each turn takes about as long (decision 0116).
 * @param turn an integer; the seed of the run
 */
export const leftToLaterTurns = (turn: number): string[] => filesInTurns().filter((_, place) => !isInTurn(place, turn, turns, 1));
