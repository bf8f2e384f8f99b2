import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { longest } from "./longest_first.ts";
import { isInTurn } from "./size.ts";

/** The two commands of the README, and the life of a new member: in every run. */
const always = ["stack/readme.test.ts", "stack/start_and_stop.test.ts", "browser/h5_journey.test.ts"];

/** The long files about pages, commands and stacks that no guarantee of docs/guarantees.md names. */
export function filesInTurns(): string[] {
  const guarantees = readFileSync(join(projectRoot, "docs/guarantees.md"), "utf8");
  return longest
    .filter((name) => /^(browser|commands|stack)\//.test(name) && !always.includes(name))
    .map((name) => `test/${name}`)
    .filter((path) => !guarantees.includes(path));
}

/** As many successive runs run everything. */
export const turns = 4;

/**
 * The files that a complete run of the short form leaves to later turns: three of four that take turns. They are sorted by duration,
 * so that each turn takes about as long (decision 0116).
 * @param turn an integer; the seed of the run
 */
export const leftToLaterTurns = (turn: number): string[] => filesInTurns().filter((_, place) => !isInTurn(place, turn, turns, 1));
