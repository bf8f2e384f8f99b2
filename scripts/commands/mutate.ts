import { createHash } from "node:crypto";
import { InvalidArgumentError } from "commander";
import { describeCommand, runCommandLine, wholeNumber } from "../command_line/command_line.ts";
import { printTable } from "../command_line/table.ts";
import { measureTests } from "../mutation/baseline.ts";
import { type Operator, operators } from "../mutation/change.ts";
import { Choice } from "../mutation/choice.ts";
import { allFunctions, engineModules, isOfTheEngine } from "../mutation/engine.ts";
import { fixedHistories, runHistories } from "../mutation/histories.ts";
import { Laboratory } from "../mutation/laboratory.ts";
import { describeMutant, difference, type Mutant, mutantsOf } from "../mutation/mutants.ts";
import { pgTapFiles } from "../mutation/pgtap.ts";
import { share, totalsOf, writeReport } from "../mutation/report.ts";
import { addResult, readResults, type Result } from "../mutation/results.ts";
import { SessionTests } from "../mutation/session_tests.ts";
import { type Trial, tryMutant } from "../mutation/trial.ts";
import type { Database } from "../postgres/database.ts";
import { Problem } from "../ground/problem.ts";
import { bar, step } from "../ground/progress.ts";
import type { TemplateDatabases } from "../postgres/template_databases.ts";
import { withTemporaryDatabases } from "../postgres/temporary_databases.ts";

/** The share of the mutants that the tests have to kill. */
const requiredShare = 0.9;
const historyCount = 8;
const historySeed = 20261120;
const most = 1_000_000;

const engine = allFunctions().filter(isOfTheEngine);

/** Collects the name of a function or module of the engine. */
function part(text: string, previous: string[] = []): string[] {
  const name = text.replace(/^app\./, "");
  if (!engine.some((each) => each.name === name || each.module === name))
    throw new InvalidArgumentError(`It must be a function of the engine, or one of: ${engineModules.join(", ")}.`);
  return [...previous, name];
}

/** Collects a kind of mutants. */
function operator(text: string, previous: Operator[] = []): Operator[] {
  const found = operators.find((name) => name === text);
  if (!found) throw new InvalidArgumentError(`Allowed choices are ${operators.join(", ")}.`);
  return [...previous, found];
}

/** Collects a path below the root of the project. */
function folder(path: string, previous: string[] = []): string[] {
  return [...previous, path];
}

const command = describeCommand({
  usage: "npm run mutate --",
  summary: `Tests the tests: changes one condition, sign, bound, constant, statement or lock of the engine in sql/ at a time and runs the tests that
could notice, on a database server of its own: pgTAP files that call the function, random histories, and tests with several sessions for locks.
The results are kept in .local/mutation, so that an interrupted run is continued. docs/mutation.md lists the survivors.`,
  notes: `Exit status: 0 if at least 90 % of the mutants were killed, 1 if fewer, 2 if the run failed. Ctrl-C ends the run after the current mutant.`,
})
  .option("--only <function>", "only mutants of this function or module; may be repeated", part)
  .option("--operator <name>", "only mutants of this kind; may be repeated", operator)
  .option("--seed <s>", "try the mutants in a random sequence (default: by file and line)", wholeNumber(2 ** 31))
  .option(
    "--percent <p>",
    "a random sample: this share of each module's mutants, rounded up; --seed <s> selects another",
    wholeNumber(100),
  )
  .option("--from <k>", "begin with the k-th mutant of the sequence", wholeNumber(most), 1)
  .option("--count <n>", "end after n mutants of the sequence", wholeNumber(most), most)
  .option("--tests <path>", "run only the pgTAP files below this path; may be repeated", folder)
  .option("--survivors", "try those again that survived, after tests were added")
  .option("--list", "list the mutants with their results and try none")
  .option("--report", "write docs/mutation.md from the results and try none");

interface Options {
  only?: string[];
  operator?: Operator[];
  seed?: number;
  percent?: number;
  from: number;
  count: number;
  tests?: string[];
  survivors?: boolean;
  list?: boolean;
  report?: boolean;
}

/** The first mutants of each module in a sequence: a share of its mutants, rounded up. */
function firstOfEachModule(sequence: Mutant[], percent: number): Mutant[] {
  return engineModules.flatMap((module) => {
    const mutants = sequence.filter(({ of }) => of.module === module);
    return mutants.slice(0, Math.ceil((mutants.length * percent) / 100));
  });
}

/** The mutants of the functions and kinds that the options name, by file and line. */
function namedMutants({ only, operator: kinds }: Options): Mutant[] {
  const functions = engine.filter(({ name, module }) => !only || only.includes(name) || only.includes(module));
  return functions.flatMap(mutantsOf).filter((mutant) => !kinds || kinds.includes(mutant.operator));
}

/** Those of the mutants that the options choose, in their sequence. */
function chosenMutants(mutants: Mutant[], { percent, seed = percent && 0, from, count }: Options): Mutant[] {
  // The place of a mutant in a random sequence depends on itself alone: an edited function does not move those of
  // others.
  const place = ({ key }: Mutant) => createHash("sha256").update(`${seed} ${key}`).digest("hex");
  const sequence =
    seed === undefined
      ? mutants
      : mutants
          .map((mutant) => ({ mutant, at: place(mutant) }))
          .sort((a, b) => (a.at < b.at ? -1 : 1))
          .map(({ mutant }) => mutant);
  return (percent === undefined ? sequence : firstOfEachModule(sequence, percent)).slice(from - 1, from - 1 + count);
}

function printMutants(mutants: Mutant[], results: Map<string, Result>): void {
  for (const [index, mutant] of mutants.entries()) {
    const { outcome = "", by = "" } = results.get(mutant.key) ?? {};
    console.log(
      `${String(index + 1).padStart(5)}  ${describeMutant(mutant)}  ${outcome} ${by}${difference(mutant)
        .map((text) => `\n         ${text}`)
        .join("")}`,
    );
  }
}

/** Prepares databases, durations and histories, and checks that everything passes without a mutant. */
async function prepare(database: Database, templates: TemplateDatabases, paths: string[] | undefined): Promise<Trial> {
  const laboratory = await Laboratory.open(database, templates);
  const tests = pgTapFiles().filter(({ path }) => !paths || paths.some((each) => path.startsWith(each)));
  const measured = await step("pgTAP files without a mutant", (show) => measureTests(laboratory.tests, tests, show));
  const unusable = measured.filter(({ failure }) => failure !== undefined);
  if (unusable.length > 0)
    console.log(
      `    ${unusable.length} files are left out, because they fail in a database without pg_cron:\n${unusable.map(({ path, failure }) => `    ${path}: ${failure}`).join("\n")}`,
    );
  const choice = new Choice(tests, measured);
  if (paths) return { laboratory, choice };
  const histories = fixedHistories(historySeed, historyCount);
  await step("Random histories without a mutant", async () => {
    const started = performance.now();
    const failure = await runHistories(laboratory.histories, histories);
    await laboratory.limitHistories(performance.now() - started);
    if (failure)
      throw new Problem(
        `A random history fails without a mutant: ${failure.detail}`,
        "Run `npm test -- property/histories` and fix the cause.",
      );
  });
  return { laboratory, choice, more: { histories, sessions: new SessionTests(database, templates) } };
}

/** Tries mutants one after the other, until the last one or Ctrl-C. @returns their results, which are also kept */
async function tryAll(mutants: Mutant[], trial: Trial): Promise<Result[]> {
  const results: Result[] = [];
  let interrupted = false;
  // Not `once`: execa ends the process if nobody listens any more.
  process.on("SIGINT", () => (interrupted = true));
  await step("Mutants", async (show) => {
    for (const mutant of mutants) {
      const survived = results.filter(({ outcome }) => outcome === "survived").length;
      const label = (test: string) => `mutants, ${survived} survived; ${describeMutant(mutant)}: ${test}`;
      const result = await tryMutant(mutant, trial, (test) => show(bar(results.length, mutants.length, label(test))));
      results.push(result);
      // A mutant that survived some of the tests may be killed by others.
      if (trial.more || result.outcome !== "survived") addResult(result);
      if (interrupted) return;
    }
  });
  return results;
}

async function mutate(options: Options): Promise<number> {
  const all = namedMutants(options);
  const mutants = chosenMutants(all, options);
  const results = readResults();
  if (options.list) return (printMutants(mutants, results), 0);
  if (options.report) {
    const { percent, seed = 0 } = options;
    writeReport(mutants, results, percent === undefined ? undefined : { seed, percent, of: all.length });
    return 0;
  }
  const due = mutants.filter(({ key }) =>
    options.survivors ? results.get(key)?.outcome === "survived" : !results.has(key),
  );
  console.log(`${mutants.length} mutants, of which ${due.length} are to be tried.`);
  const found =
    due.length === 0
      ? results
      : await withTemporaryDatabases(async (database, templates) => {
          const trial = await prepare(database, templates, options.tests);
          try {
            const added = await tryAll(due, trial);
            return new Map([...results, ...added.map((result): [string, Result] => [result.key, result])]);
          } finally {
            await trial.laboratory.close();
          }
        });
  const survivors = mutants.filter(({ key }) => found.get(key)?.outcome === "survived");
  if (survivors.length > 0)
    printTable(
      ["survivor", "was", "became"],
      survivors.map((mutant) => [describeMutant(mutant), ...difference(mutant)]),
    );
  const totals = totalsOf(mutants, found);
  console.log(
    `\n${totals.tried} tried, ${totals.killed} killed (${share(totals)}), ${totals.survived} survived, ${totals.invalid} invalid`,
  );
  return totals.killed >= requiredShare * totals.tried ? 0 : 1;
}

await runCommandLine(command, mutate, 2);
