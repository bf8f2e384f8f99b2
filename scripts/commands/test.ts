import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { provideBrowser } from "../stack/browser_install.ts";
import { createExternalDatabase } from "../stack/external_server.ts";
import { deno, denoEnvironment, functionFiles, functionNames } from "../stack/functions.ts";
import { projectRoot, type StackPlace } from "../stack/paths.ts";
import { freePort } from "../stack/ports.ts";
import { Problem, printError } from "../stack/problem.ts";
import { step, style } from "../stack/progress.ts";
import { type RunningStack, startStack } from "../stack/stack.ts";
import { createTemplates, dropDatabases } from "../stack/template_databases.ts";
import { withTemporaryPlace } from "../stack/temporary_place.ts";
import type { TestContext } from "../../test/support/context.ts";

const help = `npm test [-- filter ...]

Sets up what is missing, starts a stack of its own and runs all checks: types, pgTAP, vitest. It disturbs no running
stack and leaves nothing behind.

  npm test -- test/db/access            the pgTAP files below this path only
  npm test -- test/api progress         the vitest files whose path contains one of these
  npm test -- -t "sentence"             other options go to vitest`;

const pgTapFolder = "test/db";
const browserFolder = "test/browser";
const vitestCli = join(projectRoot, "node_modules/vitest/vitest.mjs");
const typescriptCli = join(projectRoot, "node_modules/typescript/bin/tsc");

/** What a group of checks came to. */
interface Outcome {
  passed: number;
  failed: number;
}

let child: ChildProcess | undefined;
let interrupted = false;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    interrupted = true;
    child?.kill(signal);
  });
}

/**
 * Runs a tool whose output people should see as it comes.
 * @param collect also returns what it prints; then it sees no terminal and draws no progress on one
 */
function runVisibly(command: string, args: string[], env: NodeJS.ProcessEnv, collect: boolean): Promise<{ code: number; output: string }> {
  if (interrupted) throw new Problem("Interrupted.", "Everything that was started has been stopped.");
  return new Promise((resolve) => {
    child = spawn(command, args, { cwd: projectRoot, env: { ...process.env, ...plain, ...env }, stdio: ["ignore", collect ? "pipe" : "inherit", "inherit"] });
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
      process.stdout.write(chunk);
    });
    child.on("error", (error) => resolve({ code: 127, output: error.message }));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Tools that guess wrongly where there is no terminal are told. */
const plain = process.stdout.isTTY ? {} : { NO_COLOR: "1" };

function heading(text: string): void {
  console.log(`\n${style.bold(text)}`);
}

/** Type checks; each counts as one test. */
async function checkTypes(): Promise<Outcome> {
  heading("Types");
  const checks: [string, string, string[]][] = [
    ["scripts and tests (tsc)", process.execPath, [typescriptCli, "-p", projectRoot]],
    ["console (tsc)", process.execPath, [typescriptCli, "-p", join(projectRoot, "console")]],
    ...functionNames().map((name): [string, string, string[]] => [`functions/${name} (deno check)`, deno, ["check", "--quiet", ...functionFiles(name)]]),
  ];
  let failed = 0;
  for (const [label, command, args] of checks) {
    await step(label, async () => {
      const { code } = await runVisibly(command, args, denoEnvironment, false);
      if (code !== 0) throw new Error(label);
    }).catch(() => {
      failed += 1;
    });
  }
  return { passed: checks.length - failed, failed };
}

/** pgTAP through pg_prove: the same files that `supabase test db` takes. */
async function runPgTap(stack: RunningStack, paths: string[]): Promise<Outcome> {
  heading("pgTAP");
  const { code, output } = await runVisibly("pg_prove", ["--recurse", "--ext", ".sql", "--dbname", stack.info.database_url, ...paths], {}, true);
  const total = Number(output.match(/Tests=(\d+)/)?.[1] ?? 0);
  const named = [...output.matchAll(/Failed (\d+)\/\d+ subtests/g)].reduce((sum, match) => sum + Number(match[1]), 0);
  // A file that dies without a plan fails without any test of it failing.
  const failed = code === 0 ? 0 : Math.max(named, 1);
  return { passed: Math.max(total - failed, 0), failed };
}

async function runVitest(place: StackPlace, context: TestContext, args: string[]): Promise<Outcome> {
  heading("vitest");
  const totals = join(place.directory, "vitest_totals.json");
  const env = { STORE_TEST_CONTEXT: JSON.stringify(context), STORE_TEST_TOTALS: totals };
  const { code } = await runVisibly(process.execPath, [vitestCli, "run", ...args], env, false);
  if (!existsSync(totals)) return { passed: 0, failed: 1 };
  const { passed, failed } = JSON.parse(readFileSync(totals, "utf8")) as Outcome;
  return { passed, failed: Math.max(failed, code === 0 ? 0 : 1) };
}

async function runOnStack(place: StackPlace, pgTapPaths: string[], vitestArgs: string[] | undefined): Promise<Outcome[]> {
  heading("A stack for the tests");
  const external = await createExternalDatabase();
  if (external) console.log("  DATABASE_URL is set: the tests that need pg_cron will fail, since it works in one database of a server only.");
  const stack = await startStack({
    place,
    gatewayPort: await freePort(),
    databasePort: await freePort(),
    forTests: true,
    ...(external ? { externalDatabase: external } : {}),
  });
  try {
    const prefix = external ?? "store_test";
    const templates = await step("Template databases", () => createTemplates(stack.database, prefix));
    const outcomes: Outcome[] = [];
    if (pgTapPaths.length > 0) outcomes.push(await runPgTap(stack, pgTapPaths));
    const context: TestContext = { stack: stack.info, templates, clonePrefix: `${prefix}_clone`, clientPrograms: stack.database.client.bin };
    if (vitestArgs) outcomes.push(await runVitest(place, context, vitestArgs));
    return outcomes;
  } finally {
    if (external) await dropDatabases(stack.database.server, external);
    await stack.stop();
  }
}

async function main(args: string[]): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(help);
    return 0;
  }
  const started = performance.now();
  const isPgTap = (arg: string) => arg.startsWith(pgTapFolder);
  const everything = args.length === 0;
  const pgTapPaths = everything ? [pgTapFolder].filter((path) => existsSync(join(projectRoot, path))) : args.filter(isPgTap);
  const missing = pgTapPaths.find((path) => !existsSync(join(projectRoot, path)));
  if (missing) throw new Problem(`There is no ${missing}.`, `Name a file or folder below ${pgTapFolder}, as it is written there.`);
  const vitestArgs = args.filter((arg) => !isPgTap(arg));

  return withTemporaryPlace(async (place) => {
    const outcomes = everything ? [await checkTypes()] : [];
    if (everything || vitestArgs.some((arg) => arg.startsWith(browserFolder))) await step("Chromium, for the tests of the pages", provideBrowser);
    outcomes.push(...(await runOnStack(place, pgTapPaths, everything || vitestArgs.length > 0 ? vitestArgs : undefined)));
    if (interrupted) return 130;
    const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
    const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
    console.log(`\n${passed} passed, ${failed} failed  ${style.dim(`in ${((performance.now() - started) / 1000).toFixed(0)} s`)}`);
    return failed === 0 ? 0 : 1;
  });
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  printError(error);
  return interrupted ? 130 : 1;
});
