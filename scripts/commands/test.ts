import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { constants, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { execa, type ResultPromise } from "execa";
import { type Check, linters, typeChecks } from "../checks/checks.ts";
import { clockEnvironment, clockOfRun, ensureFakeClock, parseClock, removeLeftovers } from "../checks/clock.ts";
import {
  describeSkipped,
  describeSkippedTests,
  describeTotals,
  type Group,
  missingGroups,
} from "../checks/missing_tools.ts";
import { pgProveArguments, type PgProveRun, pgTapOutcome } from "../checks/pgtap.ts";
import { type Outcome, reportChecks, type StartedCheck, startChecks } from "../checks/run_checks.ts";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { printTable } from "../command_line/table.ts";
import { ensureBrowser } from "../ground/browser_install.ts";
import { embeddedInstall } from "../postgres/embedded.ts";
import { startEmbeddedTemplates } from "../postgres/embedded_templates.ts";
import { withoutSyncVariable } from "../postgres/cluster.ts";
import { createExternalDatabase } from "../postgres/external_server.ts";
import { ensureFailoverManager } from "../scale/failover_manager.ts";
import { projectRoot, type StackPlace } from "../ground/paths.ts";
import { ensureJudges } from "../checks/judges.ts";
import { ensurePooler } from "../scale/pooler.ts";
import { ensurePlProxy } from "../scale/shards.ts";
import { freePort } from "../ground/ports.ts";
import { clientFolder } from "../postgres/install.ts";
import { Problem, printError } from "../ground/problem.ts";
import { step, style } from "../ground/progress.ts";
import { Running } from "../ground/running.ts";
import { startStack } from "../stack/stack.ts";
import { readSupabaseStack, type SupabaseStack } from "../stack/supabase_stack.ts";
import { copyTemplate, createTemplates, dropDatabases } from "../postgres/template_databases.ts";
import { keepTemporaryFilesIn, withTemporaryPlace } from "../postgres/temporary_place.ts";
import { besideSupabase, describeLeftOut, type LeftOut } from "../testing/beside_supabase.ts";
import { createDemoStore, startDemoSites } from "../testing/demo_store.ts";
import type { TestContext } from "../testing/context.ts";
import { PLANNER_SETTINGS } from "../testing/planner.ts";
import { putOffRelease } from "../testing/put_off_release.ts";
import { seed } from "../testing/seed.ts";
import { fullVariable } from "../testing/size.ts";

const pgTapFolder = "supabase/tests";
const browserFolder = "test/browser";

/** The paths of the test files below a folder: by default, those of vitest. */
function testFiles(folder: string, ending = ".test.ts"): string[] {
  const names = readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(ending)).map((name) => `${folder}/${name}`);
}

/** Collects a filter. Rejects one that matches no test before anything is started. */
function filter(text: string, previous: string[] = []): string[] {
  const isThere = text.startsWith(pgTapFolder)
    ? existsSync(join(projectRoot, text))
    : testFiles("test").some((name) => name.includes(text));
  if (!isThere)
    throw new InvalidArgumentError(
      `No test matches ${text}. Give a path below ${pgTapFolder}, or a part of the path of a .test.ts file.`,
    );
  return [...previous, text];
}

/** One of several parts of a run. The first has everything but the test files of CI, which the others share. */
interface Part {
  number: number;
  of: number;
}

function parsePart(text: string): Part {
  const [, number, of] = (/^(\d)\/(\d)$/.exec(text) ?? []).map(Number);
  if (!number || !of || number > of || of < 2)
    throw new InvalidArgumentError("Give the number of the part and how many there are, such as 2/3.");
  return { number, of };
}

const command = describeCommand({
  usage: "npm test --",
  summary: `Sets up what is missing, starts a stack of its own and runs all checks: types, linters, pgTAP, vitest. It does not affect a
running stack and leaves nothing behind. Without a filter, it runs the rules, the promises of docs/guarantees.md, a success of every operation, the two
commands of the README and the main pages. With --all, it also runs the files named *.ci.test.ts, which are the other pages and commands, pgTAP once
more on the embedded Postgres of npm, another version, and some tests of the API through PgBouncer. It names the groups of tests that this machine
cannot run.`,
  notes: `npm test -- --all                    everything, as CI runs it
npm test -- --all --part 2/3         a part of it, for runners of CI side by side
npm test -- supabase/tests/access           the pgTAP files below this path
npm test -- test/api progress        the vitest files whose path contains one of the filters
npm test -- test/api -t "sentence"   only tests in these files whose names match
npm test -- --pooler test/api        the same tests with PgBouncer in front of the database
npm test -- --clock 2027-03-01       on that day, at the present time of day
npm test -- --clock 2027-03-01T15:59 at that time (UTC): the day of the store ends at 16:00, and its jobs of the night run
npm test -- --supabase status.env test/api
                                     on the stack of the Supabase CLI that this output of \`npx supabase status -o env\` describes
npm run test:full                    everything, in the long form of the tests: see scripts/testing/size.ts

STORE_POSTGRES=embedded npm test     the same tests on the embedded Postgres of npm
STORE_POSTGRES=installed npm test    the stack on an installed Postgres; fails if there is none`,
})
  .argument("[filter...]", "which tests to run (default: the fixed set)", filter)
  .option("-t, --test-name-pattern <sentence>", "only the vitest tests whose names match")
  .option("-u, --update", "write the snapshots of the chosen tests anew")
  .option("--pooler", "put PgBouncer in transaction mode between the edge functions and the database")
  .option(
    "--clock <date>",
    "let every process take this day for today, and this time for now, by libfaketime",
    parseClock,
  )
  .addOption(
    new Option(
      "--supabase <status file>",
      "run the tests of the API on database, Auth and Storage of another local stack, which this output of `npx supabase status` describes. Their rows stay there",
    ).conflicts(["update", "pooler", "all", "part", "full"]),
  )
  .option("--all", "run every file")
  .option(
    "--part <n/m>",
    "with --all, run one of several parts: the first is everything but the *.ci.test.ts files, which the others share",
    parsePart,
  )
  .option("--full", "run every file, and the long form of the tests that have one");

interface Options {
  testNamePattern?: string;
  update?: boolean;
  pooler?: boolean;
  clock?: string;
  supabase?: string;
  all?: boolean;
  part?: Part;
  full?: boolean;
}

const vitestCli = join(projectRoot, "node_modules/vitest/vitest.mjs");

/** The arguments of vitest. */
interface VitestRun {
  args: string[];
  full: boolean;
  /** Another number of random histories than that of the form (scripts/testing/size.ts). */
  histories?: number;
}

let child: ResultPromise | undefined;
let interrupted = false;
const interruption = new AbortController();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    interrupted = true;
    interruption.abort();
    child?.kill(signal);
  });
}

/**
 * Runs a program and shows its output as it is printed.
 * @param collect also returns the output and the errors. The program then sees no terminal and draws no progress
 */
async function runVisibly(
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  collect: boolean,
): Promise<PgProveRun> {
  if (interrupted) throw new Problem("Interrupted.", "Everything that was started has been stopped.");
  const running = execa(command, args, {
    cwd: projectRoot,
    env: { ...plain, ...env },
    stdin: "ignore",
    stdout: collect ? ["pipe", "inherit"] : "inherit",
    stderr: collect ? ["pipe", "inherit"] : "inherit",
    all: true,
    reject: false,
  });
  child = running;
  const { exitCode, all } = await running;
  return { code: exitCode ?? 1, output: all ?? "" };
}

/** Disables colours without a terminal, because some programs do not detect it. */
const plain = process.stdout.isTTY ? {} : { NO_COLOR: "1" };

function heading(text: string): void {
  console.log(`\n${style.bold(text)}`);
}

/** Runs pgTAP with pg_prove. */
async function runPgTap(title: string, url: string, paths: string[]): Promise<Outcome> {
  heading(title);
  return pgTapOutcome(title, await runVisibly("pg_prove", pgProveArguments(url, paths), {}, true));
}

/** Runs a program and collects its output. */
async function runInBackground(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<PgProveRun> {
  const options = {
    cwd: projectRoot,
    env: { ...plain, ...env },
    stdin: "ignore",
    all: true,
    reject: false,
    cancelSignal: interruption.signal,
  } as const;
  const { exitCode, all } = await execa(command, args, options);
  return { code: exitCode ?? 1, output: all };
}

/** Starts pgTAP in the background. */
const startPgTap = (url: string, paths: string[]) => runInBackground("pg_prove", pgProveArguments(url, paths), {});

const allPgTapFiles = () => testFiles(pgTapFolder, ".test.sql").sort();

/**
 * All files of pgTAP: those that read the jobs of pg_cron, which only the database of the stack has, and those that any
 * copy can run.
 */
function pgTapFiles(): { scheduled: string[]; others: string[] } {
  const files = allPgTapFiles();
  const isScheduled = (file: string) => readFileSync(join(projectRoot, file), "utf8").includes("pg_cron");
  return { scheduled: files.filter(isScheduled), others: files.filter((file) => !isScheduled(file)) };
}

/** Waits for pgTAP in the background, and prints the end of its output, or all of it if it failed. */
async function reportPgTap(title: string, started: ReturnType<typeof startPgTap>): Promise<Outcome> {
  heading(title);
  const run = await started.catch((error: unknown) => {
    printError(error);
    return { code: 1, output: "" };
  });
  console.log(run.code === 0 ? run.output.trimEnd().split("\n").slice(-3).join("\n") : run.output);
  return pgTapOutcome(title, run);
}

/** The seed of all random tests of this run. */
const seedOfRun = String(seed());

/** The file to which the tests add each operation that has had a success as the document describes it. */
const successesOf = (place: StackPlace) => join(place.directory, "successes.txt");

/** Fails for each documented operation that has had no success in the tests. */
async function checkSuccesses(place: StackPlace): Promise<Outcome> {
  // It loads the edge functions.
  const { operationsWithoutSuccess } = await import("../testing/openapi.ts");
  const file = successesOf(place);
  const failures = operationsWithoutSuccess(existsSync(file) ? readFileSync(file, "utf8") : "").map(
    (operation) => `No test has had a success of ${operation} that is held to its document.`,
  );
  return {
    passed: failures.length === 0 ? 1 : 0,
    failed: failures.length,
    failures,
    repeated: [],
    skipped: [],
    seconds: {},
  };
}

/** What a run of vitest gets from this command, and the file in which it leaves its outcome. */
function vitestProcess(place: StackPlace, context: TestContext, { args, full, histories }: VitestRun) {
  const outcomeFile = join(mkdtempSync(join(place.directory, "vitest-")), "outcome.json");
  const env = {
    STORE_TEST_CONTEXT: JSON.stringify(context),
    STORE_TEST_OUTCOME: outcomeFile,
    STORE_TEST_SUCCESSES: successesOf(place),
    SEED: seedOfRun,
    [fullVariable]: full ? "1" : "",
    ...(histories !== undefined && { HISTORIES: String(histories) }),
  };
  return { args: [vitestCli, "run", ...args], env, outcomeFile };
}

function vitestOutcome(title: string, code: number, outcomeFile: string): Outcome {
  const unknown = {
    passed: 0,
    failed: 1,
    failures: [`${title} ended with exit status ${code} and no result`],
    repeated: [],
    skipped: [],
    seconds: {},
  };
  if (!existsSync(outcomeFile)) return unknown;
  const outcome = JSON.parse(readFileSync(outcomeFile, "utf8")) as Outcome;
  return code !== 0 && outcome.failed === 0 ? { ...unknown, passed: outcome.passed } : outcome;
}

async function runVitest(place: StackPlace, context: TestContext, run: VitestRun, title = "vitest"): Promise<Outcome> {
  heading(title);
  console.log(`Random tests with SEED=${seedOfRun}`);
  const { args, env, outcomeFile } = vitestProcess(place, context, run);
  const { code } = await runVisibly(process.execPath, args, env, false);
  return vitestOutcome(title, code, outcomeFile);
}

/** Starts vitest in the background. @returns its outcome, after its output was printed under the title */
function startVitest(place: StackPlace, context: TestContext, run: VitestRun, title: string): () => Promise<Outcome> {
  const { args, env, outcomeFile } = vitestProcess(place, context, run);
  const started = runInBackground(process.execPath, args, env);
  return async () => {
    const { code, output } = await started;
    heading(title);
    console.log(output);
    return vitestOutcome(title, code, outcomeFile);
  };
}

/** Waits for checks under a heading of their own. */
async function report(title: string, checks: StartedCheck[]): Promise<Outcome[]> {
  if (checks.length === 0) return [];
  heading(title);
  return [await reportChecks(checks)];
}

/** What a run of the tests consists of. */
interface TestRun {
  pgTapPaths: string[];
  checks: { types: Check[]; linters: Check[] };
  vitest: VitestRun | undefined;
  /** Whether the edge functions connect through PgBouncer from the start. */
  pooler: boolean;
  /** Whether a test opens a page. */
  needsPages: boolean;
  /** Whether a test copies a store with its demo month. */
  needsDemo: boolean;
  scope: Scope;
  /** The stack that somebody else has started, and how many files cannot run beside it, with the reason. */
  beside?: { stack: SupabaseStack; leftOut: LeftOut[] };
}

/**
 * - filtered: the tests that the filters name.
 * - fixed: what `npm test` runs. Each operation needs a success.
 * - all: everything. pgTAP also runs on the embedded Postgres, another version, and some tests of the API through
 *   PgBouncer.
 * - rest: a part of the files of CI.
 */
type Scope = "filtered" | "fixed" | "all" | "rest";

/** Whether a run has all that is not a file of CI: types, linters, pgTAP, and every other file of vitest. */
const hasFixedSet = (scope: Scope) => scope === "fixed" || scope === "all";

/**
 * What `npm run test:full` repeats on the embedded Postgres: concurrency, and model histories, a tenth of those on the
 * Postgres of the stack.
 */
const repeatedRun: VitestRun = { args: ["test/property", "test/concurrency"], full: true, histories: 200 };

/**
 * The tests that `npm run test:full` repeats without each kind of join. The tests in SQL and random histories avoid
 * them by themselves.
 */
const concurrentFiles = ["test/concurrency"];

/**
 * The tests that `--all` repeats through PgBouncer on the same store: those that depend on transactions, locks and
 * settings of a session.
 */
const pooledFiles = ["test/api/orders", "test/api/idempotency", "test/api/background_settlement"];

/**
 * What `npm run test:full` repeats through PgBouncer: all that uses the API, on a store of its own, because a store
 * releases the points of a day only once.
 */
const pooledRun: TestRun = {
  pgTapPaths: [],
  checks: { types: [], linters: [] },
  vitest: { args: ["test/api", "test/e2e"], full: false },
  pooler: true,
  needsPages: false,
  needsDemo: false,
  scope: "filtered",
};

/** The arguments with which vitest runs these projects of vitest.config.ts. */
const projects = (...names: string[]) => names.flatMap((name) => ["--project", name]);

/**
 * Installs what only tests need, for the Postgres that the stack has found or installed. What cannot be installed is
 * skipped.
 */
async function installMore(full: boolean): Promise<void> {
  await step("pg_auto_failover, for the test of a failover", (show) =>
    ensureFailoverManager(show).catch(() => undefined),
  );
  await step("PL/Proxy, for the tests of shards", (show) => ensurePlProxy(show).catch(() => undefined));
  if (full)
    await step("hledger, Ledger, Beancount and SQLsmith, which judge the store", (show) =>
      ensureJudges(show).catch(() => undefined),
    );
}

async function runOnStack(
  place: StackPlace,
  { pgTapPaths, checks, vitest, pooler, needsDemo, scope }: TestRun,
): Promise<{ outcomes: Outcome[]; skipped: Group[] }> {
  const isComplete = hasFixedSet(scope);
  const repeats = scope === "all" && !pooler;
  // The types are checked while the stack starts.
  const types = startChecks(checks.types, interruption.signal);
  heading("A stack for the tests");
  const external = await createExternalDatabase();
  if (external)
    console.log(
      "  DATABASE_URL is set. Tests that need pg_cron will fail, because it works in only one database of a server.",
    );
  const stack = await startStack({
    place,
    gatewayPort: await freePort(),
    databasePort: await freePort(),
    forTests: true,
    pooler,
    ...(external ? { externalDatabase: external } : {}),
  });
  if (scope !== "filtered") await installMore(vitest?.full === true);
  const install = repeats && stack.database.kind !== "embedded" ? embeddedInstall() : undefined;
  const isNeeded = (group: Group) =>
    (group !== "judges" || vitest?.full === true) && (group !== "postgres_17" || repeats);
  const missing = (await missingGroups(stack.database, install !== undefined)).filter(isNeeded);
  const lacks = (group: Group) => missing.includes(group);
  // It is created while the tests begin. Everything that it needs has been installed for the stack.
  const demoStore = needsDemo ? createDemoStore() : undefined;
  demoStore?.catch(() => undefined);
  const demoSites = new Running();
  const embedded = install && startEmbeddedTemplates(place, install, "store_embedded");
  embedded?.catch(() => undefined);
  try {
    const prefix = external ?? "store_test";
    const templates = await step("Template databases", () => createTemplates(stack.database, prefix));
    const outcomes: Outcome[] = [];
    const pgTapTitle = `pgTAP, on Postgres ${stack.database.major}`;
    const { scheduled, others } = isComplete ? pgTapFiles() : { scheduled: pgTapPaths, others: [] };
    // Beside vitest, whose tests often wait.
    const copiedPgTap =
      isComplete && !lacks("pgtap")
        ? startPgTap(await copyTemplate(stack.database, templates.migrated, `${prefix}_pgtap`), others)
        : undefined;
    copiedPgTap?.catch(() => undefined);
    // One server after the other: more at a time would delay the tests that have limits of time.
    const embeddedPgTap =
      copiedPgTap &&
      embedded?.then(async (server) => {
        await copiedPgTap;
        return startPgTap(server.copyUrl, allPgTapFiles());
      });
    embeddedPgTap?.catch(() => undefined);
    if (scheduled.length > 0 && !lacks("pgtap"))
      outcomes.push(await runPgTap(pgTapTitle, stack.info.database_url, scheduled));
    outcomes.push(...(await report("Types", types)));
    const demo = demoStore && (await step("A store with its demo month, for tests that copy it", () => demoStore));
    const pgDump = clientFolder("pg_dump", stack.database.major);
    const context: TestContext = {
      stack: stack.info,
      templates,
      mails: place.mails,
      ...(demo && {
        demoStore: demo.place.directory,
        demoSites: await startDemoSites(place, demo.place.directory, demoSites),
      }),
      clonePrefix: `${prefix}_clone`,
      missing,
      ...(pgDump && { clientPrograms: pgDump }),
      ...(stack.database.poolerPort && { poolerPort: stack.database.poolerPort }),
      ...(!external && { postgresLog: place.logFile("postgres") }),
    };
    let lint: StartedCheck[] = [];
    if (vitest) {
      if (!external) await putOffRelease(stack.info.database_url);
      const reportWaiting =
        isComplete &&
        startVitest(place, context, { ...vitest, args: projects("waits") }, "Tests that wait, beside all others");
      outcomes.push(await runVitest(place, context, vitest, pooler ? "vitest, through PgBouncer" : "vitest"));
      if (reportWaiting) outcomes.push(await reportWaiting());
      // Beside the tests of times, which leave a processor free. The linters have a low priority, so that they do not
      // delay them.
      lint = startChecks(checks.linters, interruption.signal, constants.priority.PRIORITY_LOW);
      if (isComplete)
        outcomes.push(
          await runVitest(
            place,
            context,
            { ...vitest, args: projects("alone") },
            "Tests of times, one after the other",
          ),
        );
    }
    if (repeats && vitest && !vitest.full && !external && !lacks("pgbouncer")) {
      outcomes.push(
        await runVitest(
          place,
          { ...context, poolerPort: await stack.moveBehindPooler() },
          { args: pooledFiles, full: false },
          "The API, through PgBouncer",
        ),
      );
    }
    if (isComplete) outcomes.push(await checkSuccesses(place));
    if (vitest?.full && isComplete) {
      for (const off of PLANNER_SETTINGS)
        outcomes.push(
          await runVitest(
            place,
            { ...context, plannedWithout: off },
            { args: concurrentFiles, full: true },
            `Concurrency, with ${off} off`,
          ),
        );
    }
    if (copiedPgTap) outcomes.push(await reportPgTap(`${pgTapTitle}, in a copy`, copiedPgTap));
    if (embeddedPgTap) outcomes.push(await reportPgTap(`pgTAP, on Postgres ${install!.major}`, embeddedPgTap));
    if (vitest?.full && embedded) {
      const { database, copyUrl, ...server } = await embedded;
      const there = {
        ...context,
        stack: { ...stack.info, database_url: copyUrl },
        templates: server.templates,
        postgresLog: server.place.logFile("postgres"),
      };
      outcomes.push(
        await runVitest(place, there, repeatedRun, `Model histories and concurrency, on Postgres ${database.major}`),
      );
    }
    outcomes.push(...(await report("Linters", lint)));
    return { outcomes, skipped: missing };
  } finally {
    if (external) await dropDatabases(stack.database.server, external);
    await demoSites.stop();
    await stack.stop();
    await embedded?.then(
      (server) => server.stop(),
      () => undefined,
    );
    await demoStore?.then(
      (demo) => demo.remove(),
      () => undefined,
    );
  }
}

/** Runs tests of the API by functions of this project, on database, Auth and Storage of another stack. */
async function runBeside(place: StackPlace, supabase: SupabaseStack, vitest: VitestRun): Promise<Outcome[]> {
  heading("The functions, beside the stack of the Supabase CLI");
  const gatewayPort = await freePort();
  const stack = await startStack({ place, gatewayPort, databasePort: 0, forTests: true, supabase });
  try {
    await putOffRelease(stack.info.database_url);
    const context: TestContext = {
      // Tokens name the address of the Auth server that has signed them.
      stack: { ...stack.info, supabase_url: supabase.API_URL },
      mails: place.mails,
      clonePrefix: "",
      missing: [],
    };
    return [await runVitest(place, context, vitest)];
  } finally {
    await stack.stop();
  }
}

/**
 * Prints where the time of a run went, the longest group first. Several groups and, within vitest, several files run
 * side by side.
 */
function printTimes(outcomes: Outcome[], busy: number): void {
  const groups = outcomes.flatMap(({ seconds }) => Object.entries(seconds)).sort(([, a], [, b]) => b - a);
  console.log("\nWhere the time went, in seconds of all that ran side by side:");
  printTable(
    ["group", "seconds"],
    groups.map(([name, seconds]) => [name, seconds.toFixed(0)]),
    1,
  );
  console.log(`Processor time, with whatever else this machine did: ${busy.toFixed(0)} s`);
}

/** The groups that a run with filters leaves out without being asked to. Every other run names all groups. */
function skippedOf(missing: Group[], { scope, pgTapPaths }: TestRun): Group[] {
  if (scope !== "filtered") return missing;
  return missing.filter((group) => pgTapPaths.length > 0 && (group === "pgtap" || group === "plpgsql_check"));
}

/** Seconds for which the processors of this machine have been busy. */
const busySeconds = () =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000;

/** What a run consists of. @param filters which tests it runs; without them, the fixed set, or all */
function planOf(
  filters: string[],
  { testNamePattern, update = false, pooler = false, all = false, part, full = false }: Options,
): TestRun {
  const isFiltered = filters.length > 0 || testNamePattern !== undefined;
  const scope: Scope = isFiltered ? "filtered" : part && part.number > 1 ? "rest" : all || full ? "all" : "fixed";
  const files = filters.filter((path) => !path.startsWith(pgTapFolder));
  const args = {
    filtered: [
      ...files,
      ...(testNamePattern === undefined ? [] : ["-t", testNamePattern]),
      ...(update ? ["--update"] : []),
    ],
    fixed: projects("checks"),
    all: projects("checks", ...(part ? [] : ["ci"])),
    rest: part ? [...projects("ci"), "--shard", `${part.number - 1}/${part.of - 1}`] : [],
  }[scope];
  const names =
    args.length === 0
      ? []
      : testFiles("test").filter((name) => files.length === 0 || files.some((text) => name.includes(text)));
  return {
    pgTapPaths: hasFixedSet(scope) ? [pgTapFolder] : filters.filter((path) => path.startsWith(pgTapFolder)),
    checks: hasFixedSet(scope) ? { types: typeChecks(), linters: linters() } : { types: [], linters: [] },
    vitest: args.length > 0 ? { args, full } : undefined,
    pooler,
    needsPages: names.some((name) => name.startsWith(browserFolder)),
    needsDemo: names.some((name) =>
      /(demoConsole|demoH5|copyDemoStore)\(/.test(readFileSync(join(projectRoot, name), "utf8")),
    ),
    scope,
  };
}

/**
 * What a run beside a stack that somebody else has started consists of.
 * @param filters which tests it runs; without them, all that can
 * @throws Problem if none can
 */
function planBeside(filters: string[], { testNamePattern }: Options, stack: SupabaseStack): TestRun {
  const chosen = filters.length > 0 ? filters : ["test/api", "test/e2e"];
  const files = testFiles("test").filter((name) => chosen.some((text) => name.includes(text)));
  const { run, leftOut } = besideSupabase(files);
  if (run.length === 0)
    throw new Problem(
      `No test of ${chosen.join(", ")} runs with --supabase.`,
      "Name tests of test/api. For pgTAP, run `npx supabase test db`, and for all others `npm test` without --supabase.",
    );
  return {
    pgTapPaths: [],
    checks: { types: [], linters: [] },
    vitest: { args: [...run, ...(testNamePattern === undefined ? [] : ["-t", testNamePattern])], full: false },
    pooler: false,
    needsPages: false,
    needsDemo: false,
    scope: "filtered",
    beside: { stack, leftOut },
  };
}

async function runTests(filters: string[] = [], options: Options): Promise<number> {
  const started = performance.now();
  const busyBefore = busySeconds();
  const run =
    options.supabase === undefined
      ? planOf(filters, options)
      : planBeside(filters, options, await readSupabaseStack(options.supabase));

  // With fsync, creating and dropping a database waits for the disk several times, and the Auth server takes 80 ms of
  // processor time for each password that it stores or compares. The long form keeps both, as a store does.
  if (!options.full) Object.assign(process.env, { [withoutSyncVariable]: "1", LITE_AUTH_BCRYPT_COST: "4" });
  return withTemporaryPlace(async (place) => {
    keepTemporaryFilesIn(place);
    if (
      run.needsPages &&
      !(await step("Chromium, for the tests of the pages", (show) => ensureBrowser(show, run.scope !== "filtered")))
    )
      run.vitest?.args.push("--exclude", `${browserFolder}/**`);
    if (run.scope !== "filtered")
      await step("PgBouncer, for the tests through a pooler", (show) => ensurePooler(show).catch(() => undefined));
    const { outcomes, skipped } =
      run.beside && run.vitest
        ? { outcomes: await runBeside(place, run.beside.stack, run.vitest), skipped: [] }
        : await runOnStack(place, run);
    if (
      run.scope === "all" &&
      options.full &&
      !options.pooler &&
      !process.env.DATABASE_URL &&
      !skipped.includes("pgbouncer") &&
      !interrupted
    ) {
      outcomes.push(...(await withTemporaryPlace((another) => runOnStack(another, pooledRun))).outcomes);
    }
    if (interrupted) return 130;
    const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
    const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
    const list = (title: string, texts: string[]) =>
      texts.length > 0 && console.log(`\n${title}\n${texts.map((text) => `  ✗ ${text}`).join("\n")}`);
    const skippedTests = outcomes.flatMap((outcome) => outcome.skipped);
    if (skippedTests.length > 0) console.log(`\n${describeSkippedTests(skippedTests)}`);
    if (run.beside && run.beside.leftOut.length > 0) console.log(`\n${describeLeftOut(run.beside.leftOut)}`);
    if (run.scope !== "filtered") printTimes(outcomes, busySeconds() - busyBefore);
    const named = skippedOf(skipped, run);
    if (named.length > 0) console.log(`\n${describeSkipped(named)}`);
    // What failed comes last, so that the end of a long log shows it.
    list(
      "Failed once and passed when repeated. Each of them depends on chance: mend the test, or what it tests.",
      outcomes.flatMap((outcome) => outcome.repeated),
    );
    list(
      style.bad("Failed"),
      outcomes.flatMap((outcome) => outcome.failures),
    );
    if (failed > 0 && run.vitest) console.log(`\nSEED=${seedOfRun} before the same command repeats its random tests.`);
    console.log(
      `\n${describeTotals(passed, failed, named)}  ${style.dim(`${clockOfRun ? `on ${clockOfRun}, ` : ""}in ${((performance.now() - started) / 1000).toFixed(0)} s`)}`,
    );
    // A run in which nothing was tested is no success, either.
    return failed === 0 && passed > 0 ? 0 : 1;
  });
}

/** Runs this command once more, in an environment with another day, and another time if one is given. */
async function runAtClock(clock: string): Promise<number> {
  if (process.env.DATABASE_URL)
    throw new Problem(
      "--clock cannot change the clock of the server of DATABASE_URL.",
      "Unset DATABASE_URL, or run the tests without --clock.",
    );
  const library = await step("libfaketime, for another day", ensureFakeClock);
  const folder = mkdtempSync(join(tmpdir(), "store-clock-"));
  chmodSync(folder, 0o755);
  const cleaning = setInterval(removeLeftovers, 1_000);
  try {
    const again = [join(projectRoot, "scripts/bootstrap.mjs"), "commands/test.ts", ...process.argv.slice(2)];
    child = execa(process.execPath, again, {
      cwd: projectRoot,
      env: clockEnvironment(library, folder, clock),
      stdio: "inherit",
      reject: false,
    });
    return (await child).exitCode ?? 130;
  } finally {
    clearInterval(cleaning);
    rmSync(folder, { recursive: true });
    removeLeftovers();
  }
}

await runCommandLine(command, async (filters: string[] | undefined, options: Options) => {
  if (options.part && (!options.all || filters?.length || options.testNamePattern !== undefined))
    throw new Problem("--part is for a run of --all without filters.", "Say npm test -- --all --part 1/2.");
  try {
    return options.clock !== undefined && options.clock !== clockOfRun
      ? await runAtClock(options.clock)
      : await runTests(filters, options);
  } catch (error) {
    if (!interrupted) throw error;
    printError(error);
    return 130;
  }
});
