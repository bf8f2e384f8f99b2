import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";
import { allFunctions, engineModules, isOfTheEngine } from "./engine.ts";
import { difference, type Mutant, mutantsOf } from "./mutants.ts";
import type { Result } from "./results.ts";

/** Why no test notices a mutant. */
interface Survivor {
  of: string;
  was: string;
  is: string;
  why: string;
}

const reasonsFile = join(projectRoot, "test/mutation/survivors.json");
const document = join(projectRoot, "docs/mutation.md");

const readReasons = () => JSON.parse(readFileSync(reasonsFile, "utf8")) as Survivor[];

const isOf = ({ of, was, is }: Survivor, mutant: Mutant) =>
  mutant.of.name === of && mutant.was === was && mutant.is === is;

/** The reasons whose mutant no longer exists, because the function was changed. */
export function staleReasons(reasons: Survivor[] = readReasons()): Survivor[] {
  const named = new Set(reasons.map(({ of }) => of));
  const mutants = allFunctions()
    .filter((each) => isOfTheEngine(each) && named.has(each.name))
    .flatMap(mutantsOf);
  return reasons.filter((reason) => !mutants.some((mutant) => isOf(reason, mutant)));
}

/** How many mutants were tried, killed and survived. */
export interface Totals {
  mutants: number;
  tried: number;
  invalid: number;
  killed: number;
  survived: number;
}

export function totalsOf(mutants: Mutant[], results: Map<string, Result>): Totals {
  const outcomes = mutants.map(({ key }) => results.get(key)?.outcome);
  const count = (outcome: Result["outcome"]) => outcomes.filter((each) => each === outcome).length;
  const [killed, survived, invalid] = [count("killed"), count("survived"), count("invalid")];
  return { mutants: mutants.length, tried: killed + survived, invalid, killed, survived };
}

/**
 * The 95 % interval of the share of mutants that the tests kill, estimated from those tried (Wilson's score interval),
 * in percent. Each module gives the same share of its mutants to the sample, so the share of all of them needs no
 * weights.
 */
export function interval({ killed, tried }: Pick<Totals, "killed" | "tried">): [low: number, high: number] {
  const z = 1.96;
  const found = killed / tried;
  const middle = found + z ** 2 / (2 * tried);
  const half = z * Math.sqrt((found * (1 - found)) / tried + z ** 2 / (4 * tried ** 2));
  const scale = 100 / (1 + z ** 2 / tried);
  return [scale * (middle - half), scale * (middle + half)];
}

export const share = ({ killed, tried }: Totals) => (tried === 0 ? "" : `${((100 * killed) / tried).toFixed(1)} %`);

const cell = (text: string) => text.replaceAll("|", "\\|");
const code = (text: string) => `\`${cell(text)}\``;

/** A random sample of the mutants, as `--seed` and `--percent` take it. */
export interface Sample {
  seed: number;
  percent: number;
  /** How many mutants there are. */
  of: number;
}

function describeSample({ seed, percent, of }: Sample, totals: Totals): string {
  const [low, high] = interval(totals).map((bound) => bound.toFixed(1));
  return `The ${totals.mutants} mutants are a random sample of ${of}: ${percent} % of each module (\`--seed ${seed} --percent ${percent}\`). Of all mutants, the
tests kill between ${low} % and ${high} % (the 95 % interval).

`;
}

function describe(mutants: Mutant[], results: Map<string, Result>, sample: Sample | undefined): string {
  const all = totalsOf(mutants, results);
  const row = (name: string, totals: Totals) =>
    `| ${name} | ${totals.mutants} | ${totals.invalid} | ${totals.tried} | ${totals.killed} | ${totals.survived} | ${share(totals)} |`;
  const modules = engineModules.map((module) =>
    row(
      `\`sql/${module}\``,
      totalsOf(
        mutants.filter(({ of }) => of.module === module),
        results,
      ),
    ),
  );
  const reasons = readReasons();
  const survivors = mutants
    .filter(({ key }) => results.get(key)?.outcome === "survived")
    .map(
      (mutant) =>
        `| \`${mutant.of.path}\` | ${mutant.operator} | ${difference(mutant).map(code).join(" | ")} | ${cell(reasons.find((each) => isOf(each, mutant))?.why ?? "not examined")} |`,
    );
  return `# Mutation of the engine

\`npm run mutate\` changes one condition, sign, bound, constant, statement or lock of the engine at a time and runs the tests that could notice.
A mutant is killed if a test fails, raises an error or takes several times as long as usual. A mutant that Postgres does not accept is
invalid and does not count. Decision 0053 describes the tests that run and their limits. \`npm run mutate -- --report\` writes this page from the
results of the runs on one machine (\`.local/mutation/results.jsonl\`).

${sample && all.tried > 0 ? describeSample(sample, all) : ""}Mutants: ${all.mutants}. Tried and valid: ${all.tried}. Killed: ${all.killed}, ${share(all)}.

| functions | mutants | invalid | tried | killed | survived | killed of tried |
|---|--:|--:|--:|--:|--:|--:|
${[...modules, row("all", all)].join("\n")}

## Survivors

| function | change | was | became | why no test notices |
|---|---|---|---|---|
${survivors.join("\n")}
`;
}

/** Writes docs/mutation.md. @throws Problem if the mutant of a reason no longer exists */
export function writeReport(mutants: Mutant[], results: Map<string, Result>, sample?: Sample): void {
  const stale = staleReasons();
  if (stale.length > 0)
    throw new Problem(
      `test/mutation/survivors.json gives reasons for mutants that do not exist:\n${stale.map(({ of, was }) => `  ${of}: ${was}`).join("\n")}`,
      "Take the texts from `npm run mutate -- --list --only <function>`, or remove the reasons.",
    );
  writeFileSync(document, describe(mutants, results, sample));
}
