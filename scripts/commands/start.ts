import { spawn } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { removeData } from "../stack/cluster.ts";
import { currentOwner, giveUpOwnership, takeOwnership } from "../stack/owner.ts";
import { localDirectory, projectRoot, StackPlace } from "../stack/paths.ts";
import { host, portSetting, requireFreePort } from "../stack/ports.ts";
import { findInstall } from "../stack/postgres_install.ts";
import { Problem, printError } from "../stack/problem.ts";
import { bar, type ShowDetail, style } from "../stack/progress.ts";
import { type FreshDatabase, type StackInfo, startStack } from "../stack/stack.ts";
import type { DemoUser } from "../stack/state.ts";

const help = `npm start [-- options]

Sets up whatever is missing, starts the local stack and stays in the foreground until Ctrl-C.

  --reset     delete all local data first and start over
  --detach    return when all is up; \`npm stop\` stops it
  --no-demo   leave the new database empty
  --help      show this

  PORT            port of the gateway (54321)
  DATABASE_PORT   port of Postgres (54322)
  DATABASE_URL    a Postgres 15 or newer to use instead of a private one
  STORE_LOCAL_DIR folder for all local data (.local)`;

const place = new StackPlace(localDirectory);

async function fill(fresh: FreshDatabase, show: ShowDetail): Promise<DemoUser[]> {
  const { loadDemo } = await import("../demo/load_demo.ts");
  const { users } = await loadDemo(fresh.databaseUrl, { supabaseUrl: fresh.supabaseUrl, publishableKey: fresh.publishableKey }, (done, total, label) => show(bar(done, total, label)));
  return users;
}

async function reset(): Promise<void> {
  if (process.env.DATABASE_URL) {
    throw new Problem("--reset deletes a private cluster only, and DATABASE_URL names a server that is not ours.", "Drop and create that database yourself, then run `npm start`.");
  }
  // A broken .local may even be a file.
  if (existsSync(place.directory) && !statSync(place.directory).isDirectory()) return rmSync(place.directory);
  await removeData(place, findInstall());
  for (const path of [place.stateFile, place.stackFile, place.ownerFile, place.logs]) rmSync(path, { recursive: true, force: true });
}

function printWhereabouts(info: StackInfo): void {
  const line = (name: string, value: string) => console.log(`  ${name.padEnd(16)}${style.bold(value)}`);
  console.log("\nThe stack is up.");
  line("Console", info.console_url);
  line("API", `${info.functions_url}/api`);
  line("Administration", `${info.functions_url}/adminapi`);
  line("Documentation", info.docs_url);
  line("Auth", `${info.supabase_url}/auth/v1`);
  line("Database", info.database_url);
  line("Publishable key", info.publishable_key);
  for (const user of info.users) line(user.role === "store_admin" ? "Administrator" : "Member", `${user.email}  ${user.password}`);
  console.log(`  All of this, for tools: ${place.stackFile}`);
}

/** Says that all is up: to the person, and to the process that waits for it when we run in the background. */
async function announce(info: StackInfo): Promise<void> {
  if (info.users.length > 0) {
    const { printAccount } = await import("../demo/print_account.ts");
    await printAccount(info.database_url);
  }
  printWhereabouts(info);
  if (!process.send) return console.log("\nPress Ctrl-C to stop.");
  process.send("up");
  process.disconnect();
}

/** What people ask for with Ctrl-C, a closed terminal or `npm stop`. */
class StopRequest {
  received = false;
  readonly arrival = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => {
        this.received = true;
        resolve();
      });
    }
  });
}

async function runInForeground(withDemo: boolean): Promise<number> {
  const gatewayPort = portSetting("PORT", 54321);
  const databasePort = portSetting("DATABASE_PORT", 54322);
  await requireFreePort(gatewayPort, "PORT");
  if (!process.env.DATABASE_URL) await requireFreePort(databasePort, "DATABASE_PORT");
  takeOwnership(place, `http://${host}:${gatewayPort}`);
  const stop = new StopRequest();
  try {
    // The step that runs when we are asked to stop is brought to its end, so that nothing is left half-made.
    const stack = await startStack({ place, gatewayPort, databasePort, forTests: false, ...(withDemo ? { fill } : {}) });
    let exitCode = 0;
    try {
      if (!stop.received) await announce(stack.info);
      const failure = await Promise.race([stack.failed, stop.arrival]);
      if (failure) {
        printError(failure);
        exitCode = 1;
      }
    } finally {
      console.log("\nStopping ...");
      await stack.stop();
    }
    console.log("Stopped.");
    return exitCode;
  } catch (error) {
    // Ctrl-C also reaches the tools that a step runs, which then fail; that is nothing to complain about.
    if (!stop.received) throw error;
    console.log("\nStopped before all was up; the next start goes on from here.");
    return 130;
  } finally {
    giveUpOwnership(place);
  }
}

/** Runs the same command in the background and shows what it prints until all is up. */
async function runDetached(args: string[]): Promise<number> {
  mkdirSync(place.logs, { recursive: true });
  const logFile = place.logFile("start");
  const log = openSync(logFile, "w", 0o600);
  const child = spawn(process.execPath, [join(projectRoot, "scripts/bootstrap.mjs"), "commands/start.ts", ...args], { stdio: ["ignore", log, log, "ipc"], detached: true });
  let shown = 0;
  const relay = () => {
    const text = readFileSync(logFile, "utf8");
    process.stdout.write(text.slice(shown));
    shown = text.length;
  };
  const timer = setInterval(relay, 200);
  const code = await new Promise<number>((resolve) => {
    child.on("message", () => resolve(0));
    child.on("exit", (status) => resolve(status ?? 1));
  });
  clearInterval(timer);
  relay();
  if (code === 0) {
    console.log("It runs in the background; `npm stop` stops it.");
    child.disconnect();
    child.unref();
  }
  return code;
}

function readOptions() {
  try {
    return parseArgs({
      options: { reset: { type: "boolean" }, detach: { type: "boolean" }, demo: { type: "boolean", default: true }, help: { type: "boolean", short: "h" } },
      allowNegative: true,
    }).values;
  } catch (error) {
    throw new Problem((error as Error).message, help);
  }
}

async function main(): Promise<number> {
  const values = readOptions();
  if (values.help) {
    console.log(help);
    return 0;
  }
  const owner = currentOwner(place);
  if (owner) {
    if (values.reset) throw new Problem(`The stack is running at ${owner.supabase_url}.`, "Stop it with `npm stop`, then reset.");
    console.log(`The stack is already running at ${owner.supabase_url} (process ${owner.pid}); see ${place.stackFile}. \`npm stop\` stops it.`);
    return 0;
  }
  if (values.reset) await reset();
  const demoArgs = values.demo ? [] : ["--no-demo"];
  if (values.detach) return runDetached(demoArgs);
  return runInForeground(values.demo);
}

process.exitCode = await main().catch((error: unknown) => {
  printError(error);
  return 1;
});
