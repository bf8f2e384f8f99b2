import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InvalidArgumentError } from "commander";
import { execa, type ResultPromise } from "execa";
import { type Check, linters, typeChecks } from "../checks/checks.ts";
import { type Outcome, reportChecks, type StartedCheck, startChecks } from "../checks/run_checks.ts";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { ensureBrowser } from "../stack/browser_install.ts";
import { createExternalDatabase } from "../stack/external_server.ts";
import { projectRoot, type StackPlace } from "../stack/paths.ts";
import { freePort } from "../stack/ports.ts";
import { Problem, printError } from "../stack/problem.ts";
import { step, style } from "../stack/progress.ts";
import { type RunningStack, startStack } from "../stack/stack.ts";
import { createTemplates, dropDatabases } from "../stack/template_databases.ts";
import { withTemporaryPlace } from "../stack/temporary_place.ts";
import { createDemoStore } from "../../test/browser/demo_store.ts";
import type { TestContext } from "../../test/support/context.ts";
import { fullVariable } from "../../test/support/size.ts";

const pgTapFolder = "test/db";
const browserFolder = "test/browser";

/** The paths of the vitest files below a folder. */
function testFiles(folder: string): string[] {
  const names = readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".test.ts")).map((name) => `${folder}/${name}`);
}

/** Collects a filter. Rejects one that matches no test before anything is started. */
function filter(text: string, previous: string[] = []): string[] {
  const isThere = text.startsWith(pgTapFolder) ? existsSync(join(projectRoot, text)) : testFiles("test").some((name) => name.includes(text));
  if (!isThere) throw new InvalidArgumentError(`No test matches ${text}. Give a path below ${pgTapFolder}, or a part of the path of a .test.ts file.`);
  return [...previous, text];
}

const command = describeCommand({
  usage: "npm test --",
  summary: `Sets up what is missing, starts a stack of its own and runs all checks: types, linters, pgTAP, vitest. It does not affect a
running stack and leaves nothing behind.`,
  notes: `npm test -- test/db/access           the pgTAP files below this path
npm test -- test/api progress        the vitest files whose path contains one of the filters
npm test -- test/api -t "sentence"   only tests in these files whose names match
npm run test:full                    the long form of the tests: see test/support/size.ts`,
})
  .argument("[filter...]", "which tests to run (default: all)", filter)
  .option("-t, --test-name-pattern <sentence>", "only the vitest tests whose names match")
  .option("--full", "run the long form of the tests that have one");

interface Options {
  testNamePattern?: string;
  full?: boolean;
}

const vitestCli = join(projectRoot, "node_modules/vitest/vitest.mjs");

/** The arguments of vitest. */
interface VitestRun {
  args: string[];
  full: boolean;
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
 * @param collect also returns the output. The program then sees no terminal and draws no progress
 */
async function runVisibly(command: string, args: string[], env: NodeJS.ProcessEnv, collect: boolean): Promise<{ code: number; output: string }> {
  if (interrupted) throw new Problem("Interrupted.", "Everything that was started has been stopped.");
  const running = execa(command, args, {
    cwd: projectRoot,
    env: { ...plain, ...env },
    stdin: "ignore",
    stdout: collect ? ["pipe", "inherit"] : "inherit",
    stderr: "inherit",
    reject: false,
  });
  child = running;
  const { exitCode, stdout } = await running;
  return { code: exitCode ?? 1, output: stdout ?? "" };
}

/** Disables colours without a terminal, because some programs do not detect it. */
const plain = process.stdout.isTTY ? {} : { NO_COLOR: "1" };

function heading(text: string): void {
  console.log(`\n${style.bold(text)}`);
}

/** Runs pgTAP with pg_prove, on the same files as `supabase test db`. */
async function runPgTap(stack: RunningStack, paths: string[]): Promise<Outcome> {
  heading("pgTAP");
  const { code, output } = await runVisibly("pg_prove", ["--recurse", "--ext", ".sql", "--dbname", stack.info.database_url, ...paths], {}, true);
  const total = Number(output.match(/Tests=(\d+)/)?.[1] ?? 0);
  const named = [...output.matchAll(/Failed (\d+)\/\d+ subtests/g)].reduce((sum, match) => sum + Number(match[1]), 0);
  // A file that aborts before its plan fails without a failed test.
  const failed = code === 0 ? 0 : Math.max(named, 1);
  return { passed: Math.max(total - failed, 0), failed };
}

async function runVitest(place: StackPlace, context: TestContext, { args, full }: VitestRun): Promise<Outcome> {
  heading("vitest");
  const totals = join(place.directory, "vitest_totals.json");
  const env = { STORE_TEST_CONTEXT: JSON.stringify(context), STORE_TEST_TOTALS: totals, [fullVariable]: full ? "1" : "" };
  const { code } = await runVisibly(process.execPath, [vitestCli, "run", ...args], env, false);
  if (!existsSync(totals)) return { passed: 0, failed: 1 };
  const { passed, failed } = JSON.parse(readFileSync(totals, "utf8")) as Outcome;
  return { passed, failed: Math.max(failed, code === 0 ? 0 : 1) };
}

/** Waits for checks under a heading of their own. */
async function report(title: string, checks: StartedCheck[]): Promise<Outcome[]> {
  if (checks.length === 0) return [];
  heading(title);
  return [await reportChecks(checks)];
}

async function runOnStack(place: StackPlace, pgTapPaths: string[], checks: { types: Check[]; linters: Check[] }, vitest: VitestRun | undefined, needsDemo: boolean): Promise<Outcome[]> {
  // The checks run beside the tests, which often wait for Postgres: the types beside pgTAP, the linters until vitest ends.
  const started = startChecks([...checks.types, ...checks.linters], interruption.signal);
  const [types, lint] = [started.slice(0, checks.types.length), started.slice(checks.types.length)];
  heading("A stack for the tests");
  const external = await createExternalDatabase();
  if (external) console.log("  DATABASE_URL is set. Tests that need pg_cron will fail, because it works in only one database of a server.");
  const stack = await startStack({
    place,
    gatewayPort: await freePort(),
    databasePort: await freePort(),
    forTests: true,
    ...(external ? { externalDatabase: external } : {}),
  });
  // It is created while pgTAP runs, too. Everything that it needs has been installed for the stack.
  const demoStore = needsDemo ? createDemoStore() : undefined;
  demoStore?.catch(() => undefined);
  try {
    const prefix = external ?? "store_test";
    const templates = await step("Template databases", () => createTemplates(stack.database, prefix));
    const outcomes: Outcome[] = [];
    if (pgTapPaths.length > 0) outcomes.push(await runPgTap(stack, pgTapPaths));
    outcomes.push(...await report("Types", types));
    const demo = demoStore && await step("A store with its demo month, for the tests of the pages", () => demoStore);
    const context: TestContext = {
      stack: stack.info,
      templates,
      ...(demo && { demoStore: demo.place.directory }),
      clonePrefix: `${prefix}_clone`,
      clientPrograms: stack.database.client.bin,
      ...(!external && { postgresLog: place.logFile("postgres") }),
    };
    if (vitest) outcomes.push(await runVitest(place, context, vitest));
    outcomes.push(...await report("Linters", lint));
    return outcomes;
  } finally {
    if (external) await dropDatabases(stack.database.server, external);
    await stack.stop();
    await demoStore?.then((demo) => demo.remove(), () => undefined);
  }
}

async function runTests(filters: string[] = [], { testNamePattern, full = false }: Options): Promise<number> {
  const started = performance.now();
  const everything = filters.length === 0 && testNamePattern === undefined;
  const pgTapPaths = everything ? [pgTapFolder] : filters.filter((path) => path.startsWith(pgTapFolder));
  const files = filters.filter((path) => !path.startsWith(pgTapFolder));
  const args = testNamePattern === undefined ? files : [...files, "-t", testNamePattern];
  const vitest = everything || args.length > 0 ? { args, full } : undefined;

  return withTemporaryPlace(async (place) => {
    const pages = vitest ? testFiles(browserFolder).filter((name) => files.length === 0 || files.some((text) => name.includes(text))) : [];
    if (pages.length > 0) await step("Chromium, for the tests of the pages", ensureBrowser);
    const needsDemo = pages.some((name) => readFileSync(join(projectRoot, name), "utf8").match(/demo(Console|H5)\(/) !== null);
    const checks = everything ? { types: typeChecks(), linters: linters() } : { types: [], linters: [] };
    const outcomes = await runOnStack(place, pgTapPaths, checks, vitest, needsDemo);
    if (interrupted) return 130;
    const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
    const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
    console.log(`\n${passed} passed, ${failed} failed  ${style.dim(`in ${((performance.now() - started) / 1000).toFixed(0)} s`)}`);
    return failed === 0 ? 0 : 1;
  });
}

await runCommandLine(command, async (filters: string[] | undefined, options: Options) => {
  try {
    return await runTests(filters, options);
  } catch (error) {
    if (!interrupted) throw error;
    printError(error);
    return 130;
  }
});
