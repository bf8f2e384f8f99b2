import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { administrators } from "../administrators/administrators.ts";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { prepareForOwnServers } from "../ground/environment.ts";
import { removeData, stopLeftover } from "../postgres/cluster.ts";
import { withConnection } from "../postgres/database_server.ts";
import { LogFile } from "../ground/log_file.ts";
import { migrateStore } from "../postgres/migration_history.ts";
import {
  currentOwner,
  releaseOwnership,
  setPhase,
  type Owner,
  takeOwnership,
  waitUntilStopped,
} from "../ground/owner.ts";
import { localDirectory, projectRoot, StackPlace } from "../ground/paths.ts";
import { host, portSetting, requireFreePort } from "../ground/ports.ts";
import { anyInstall } from "../postgres/choice.ts";
import { Problem, printError } from "../ground/problem.ts";
import { bar, type ShowDetail, step, style } from "../ground/progress.ts";
import { schedulerProblem } from "../stack/scheduler_problem.ts";
import { shardCounts } from "../scale/shards.ts";
import { type FreshDatabase, type RunningStack, startDatabaseOnly, startStack } from "../stack/stack.ts";
import { readSupabaseStack } from "../stack/supabase_stack.ts";
import { readStackFile, type StackInfo } from "../ground/stack_file.ts";
import { type DemoUser, readState } from "../ground/state.ts";
import { watchSources } from "../watch/watch.ts";

/** @throws InvalidArgumentError if there cannot be so many shards */
function shardCount(text: string): number {
  if (!shardCounts.map(String).includes(text))
    throw new InvalidArgumentError(`There can be ${shardCounts.join(", ")} shards.`);
  return Number(text);
}

const command = describeCommand({
  usage: "npm start --",
  summary: "Sets up what is missing, starts the local stack and runs in the foreground until Ctrl-C.",
  notes: `PORT              port of the gateway (54321; 54421 with --supabase)
DATABASE_PORT     port of Postgres (54322)
DATABASE_URL      a server with Postgres 15 or newer to use instead of a private one
STORE_POSTGRES    the private server: installed (with pg_cron and pgTAP), or embedded (of npm). By default, an installed one is preferred
STORE_LOCAL_DIR   folder for all local data (.local)`,
})
  .option("--reset", "delete all local data first and start over")
  .option("--detach", "run in the background and return when the stack is up; `npm stop` stops it")
  .option("--no-demo", "do not load demo data into a new database")
  .option(
    "--pooler",
    "put PgBouncer in transaction mode between the edge functions and the database, as hosted projects have a pooler",
  )
  .option("--replica", "start a streaming standby of the database, which answers reads that may be a moment old")
  .option("--watch", "apply changes of sql/, functions/ and the sites to the running stack as they are saved")
  .addOption(
    new Option(
      "--supabase [status file]",
      "use database, Auth and Storage of the stack that `npx supabase start` has started, or that this output of `npx supabase status -o json` describes",
    ).conflicts(["reset", "pooler", "replica", "shards", "databaseOnly"]),
  )
  .addOption(
    new Option(
      "--shards <count>",
      "spread the members of a new store over this many servers, without demo data (docs/scale.md)",
    )
      .argParser(shardCount)
      .conflicts(["replica", "watch"]),
  )
  .addOption(
    new Option("--database-only", "start only Postgres, with the existing data, to dump them").conflicts([
      "reset",
      "pooler",
      "replica",
      "shards",
      "watch",
    ]),
  );

interface Options {
  reset?: boolean;
  detach?: boolean;
  demo: boolean;
  pooler?: boolean;
  replica?: boolean;
  watch?: boolean;
  /** True without a file. */
  supabase?: string | true;
  shards?: number;
  databaseOnly?: boolean;
}

const place = new StackPlace(localDirectory);

/** How long to wait for another start or stop. A first start may install packages. */
const waitSeconds = 300;

async function fill(fresh: FreshDatabase, show: ShowDetail): Promise<DemoUser[]> {
  const { loadDemo } = await import("../demo/load_demo.ts");
  const { users } = await loadDemo(
    fresh.databaseUrl,
    { supabaseUrl: fresh.supabaseUrl, secretKey: fresh.secretKey },
    (done, total, label) => show(bar(done, total, label)),
  );
  return users;
}

async function reset(): Promise<void> {
  if (process.env.DATABASE_URL) {
    throw new Problem(
      "--reset can only delete the private cluster, but DATABASE_URL is set.",
      "Drop and create that database yourself, then run `npm start`.",
    );
  }
  // A damaged .local may even be a file.
  if (existsSync(place.directory) && !statSync(place.directory).isDirectory()) return rmSync(place.directory);
  await removeData(place, anyInstall());
  for (let shard = 0; existsSync(place.shard(shard).directory); shard += 1) {
    await removeData(place.shard(shard), anyInstall());
    rmSync(place.shard(shard).directory, { recursive: true, force: true });
  }
  for (const path of [place.stateFile, place.stackFile, place.ownerFile, place.logs])
    rmSync(path, { recursive: true, force: true });
}

function printAddresses(info: StackInfo): void {
  const line = (name: string, value: string) => console.log(`  ${name.padEnd(16)}${style.bold(value)}`);
  console.log("\nThe stack is up.");
  line("Console", info.console_url);
  line("H5 app", info.h5_url);
  const sharer = info.users.find(({ role }) => role !== "store_admin");
  if (sharer) line("Share link", `${info.supabase_url}/h5?spread=${sharer.uid}`);
  line("API", `${info.functions_url}/api`);
  line("Administration", `${info.functions_url}/adminapi`);
  line("Documentation", info.docs_url);
  line("Auth", `${info.supabase_url}/auth/v1`);
  line("Database", info.database_url);
  line("Publishable key", info.publishable_key);
  for (const user of info.users)
    line(user.role === "store_admin" ? "Administrator" : "Member", `${user.email}  ${user.password}`);
  console.log(`  The same as JSON: ${place.stackFile}`);
}

/** Says how to sign in to a store without demo data. */
async function printSignIn({ console_url, database_url }: StackInfo): Promise<void> {
  const emails = (await withConnection(database_url, administrators))
    .filter(({ may_act }) => may_act)
    .map(({ email }) => email);
  console.log(
    emails.length === 0
      ? `\nThe store has no administrator yet. Add the first one, with your address:\n\n  npm run admin -- add you@example.com\n\nIt prints a password, with which you sign in at ${console_url}`
      : `\nSign in at ${console_url} as ${emails.join(" or ")}. If you do not know the password, choose "Forgot your password?" there: the mail is in ${place.mails}.`,
  );
}

async function announceStack(info: StackInfo): Promise<void> {
  if (info.users.length > 0) {
    const { printAccount } = await import("../demo/print_account.ts");
    await printAccount(info.database_url);
  }
  printAddresses(info);
  if (info.users.length === 0) await printSignIn(info);
  const problem = await schedulerProblem(info.database_url);
  if (problem) printError(problem);
}

/** Reports that the stack is up: to the user, and to the waiting parent process if we run in the background. */
async function announceUp({ announce }: Started): Promise<void> {
  setPhase(place, "up");
  await announce();
  if (!process.send) return console.log("\nPress Ctrl-C to stop.");
  // The parent may have been ended while it waited. Without a callback, that would be an error of ours.
  process.send("up", () => process.connected && process.disconnect());
}

/** A request to stop: Ctrl-C, a closed terminal or `npm stop`. */
class StopRequest {
  received = false;
  readonly arrival = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => {
        this.received = true;
        setPhase(place, "stopping");
        resolve();
      });
    }
  });
}

/** A started stack or database. */
type Started = Pick<RunningStack, "failed" | "stop"> & { announce: () => Promise<void> };

async function start(
  { demo, pooler = false, replica = false, watch = false, supabase, shards, databaseOnly }: Options,
  gatewayPort: number,
  databasePort: number,
): Promise<Started> {
  if (databaseOnly) {
    const { url, ...started } = await startDatabaseOnly(place, databasePort);
    return { ...started, announce: async () => console.log(`\nOnly Postgres is up: ${style.bold(url)}`) };
  }
  const stack = await startStack({
    place,
    gatewayPort,
    databasePort,
    forTests: false,
    pooler,
    replica,
    watch,
    ...(supabase && { supabase: await readSupabaseStack(supabase === true ? undefined : supabase) }),
    ...(shards ? { shards } : demo ? { fill } : {}),
  });
  let endWatch: (() => Promise<void>) | undefined;
  const announce = async () => {
    await announceStack(stack.info);
    if (watch) endWatch = await watchSources(stack);
  };
  const stop = async () => {
    await endWatch?.();
    await stack.stop();
  };
  return { ...stack, announce, stop };
}

/** The Postgres of a stack that was killed may still recover or shut down on our port. */
async function endLeftoverServer(): Promise<void> {
  const [data, install] = [readState(place)?.data_directory, anyInstall()];
  if (data && install) await stopLeftover(place, data, install);
}

async function runInForeground(options: Options): Promise<number> {
  // The stack of the Supabase CLI has the ports of ours.
  const gatewayPort = portSetting("PORT", options.supabase ? 54421 : 54321);
  const databasePort = portSetting("DATABASE_PORT", 54322);
  await requireFreePort(gatewayPort, "PORT");
  if (!process.env.DATABASE_URL && !options.supabase) {
    await endLeftoverServer();
    await requireFreePort(databasePort, "DATABASE_PORT");
  }
  takeOwnership(place, options.databaseOnly ? "" : `http://${host}:${gatewayPort}`);
  const stop = new StopRequest();
  try {
    // If a stop is requested during a step, the step is completed first, so that nothing is left half-done.
    const started = await start(options, gatewayPort, databasePort);
    let exitCode = 0;
    try {
      if (!stop.received) await announceUp(started);
      const failure = await Promise.race([started.failed, stop.arrival]);
      if (failure) {
        printError(failure);
        exitCode = 1;
      }
    } finally {
      setPhase(place, "stopping");
      console.log("\nStopping ...");
      await started.stop();
    }
    console.log("Stopped.");
    return exitCode;
  } catch (error) {
    // Ctrl-C also reaches the programs that a step runs. They then fail, which is not an error.
    if (!stop.received) throw error;
    console.log("\nStopped before the stack was up. The next start continues from here.");
    return 130;
  } finally {
    releaseOwnership(place);
  }
}

/** Runs the same command in the background and relays its output until the stack is up. */
async function runDetached(args: string[]): Promise<number> {
  mkdirSync(place.logs, { recursive: true });
  const logFile = place.logFile("start");
  const log = new LogFile(logFile).open("npm start");
  const child = spawn(process.execPath, [join(projectRoot, "scripts/bootstrap.mjs"), "commands/start.ts", ...args], {
    stdio: ["ignore", log, log, "ipc"],
    detached: true,
  });
  let shown = statSync(logFile).size;
  const relay = () => {
    const text = readFileSync(logFile).subarray(shown);
    process.stdout.write(text);
    shown += text.length;
  };
  const timer = setInterval(relay, 200);
  const code = await new Promise<number>((resolve) => {
    child.on("message", () => resolve(0));
    child.on("exit", (status) => resolve(status ?? 1));
  });
  clearInterval(timer);
  relay();
  if (code === 0) {
    console.log("The stack runs in the background. `npm stop` stops it.");
    child.disconnect();
    child.unref();
  }
  return code;
}

/** The process that runs the stack. Waits for a process that is still starting or stopping. */
async function owner(): Promise<Owner | undefined> {
  const found = currentOwner(place);
  if (!found || found.phase === "up") return found;
  console.log(`The stack is still ${found.phase} (process ${found.pid}); waiting ...`);
  const left = await waitUntilStopped(place, waitSeconds, ({ phase }) => phase === "up");
  if (left && left.phase !== "up")
    throw new Problem(
      `Process ${left.pid} is still ${left.phase} the stack after ${waitSeconds} seconds.`,
      `Check the logs in ${place.logs}, then try again or terminate the process: kill ${left.pid}`,
    );
  return left;
}

/** Applies new migrations to the running stack. */
async function updateRunning(): Promise<void> {
  const { database_url, shard_urls } = readStackFile(place)!;
  // The shards are no copies of the home, so migrations need more than this (docs/scale.md).
  if (shard_urls) return;
  const applied = await step("New migrations, by the Supabase CLI", (show) => migrateStore(database_url, place, show));
  if (!applied) return console.log("There were no new migrations.");
  // Passes the jobs to pg_cron in a small transaction of its own: its scheduler can miss those of a large migration.
  await withConnection(database_url, (sql) => sql`select app.apply_schedule()`);
  console.log(
    "New migrations were applied. The edge functions and the sites still run as they were started: `npm stop`, then `npm start`, rebuilds them.",
  );
}

async function run(options: Options): Promise<number> {
  prepareForOwnServers();
  const running = await owner();
  if (running) {
    const isSame = (running.supabase_url === "") === (options.databaseOnly === true);
    if (options.reset || !isSame)
      throw new Problem(
        `${running.supabase_url ? `The stack is running at ${running.supabase_url}` : "Only the database is running"} (process ${running.pid}).`,
        "Stop it with `npm stop` first.",
      );
    console.log(
      `${running.supabase_url ? `The stack is already running at ${running.supabase_url}` : "The database is already running"} (process ${running.pid}). \`npm stop\` stops it.`,
    );
    if (running.supabase_url) await updateRunning();
    return 0;
  }
  if (options.reset) await reset();
  const again = [
    ...(options.demo ? [] : ["--no-demo"]),
    ...(options.pooler ? ["--pooler"] : []),
    ...(options.replica ? ["--replica"] : []),
    ...(options.watch ? ["--watch"] : []),
    ...(options.supabase === true ? ["--supabase"] : options.supabase ? ["--supabase", options.supabase] : []),
    ...(options.shards ? ["--shards", String(options.shards)] : []),
    ...(options.databaseOnly ? ["--database-only"] : []),
  ];
  return options.detach ? runDetached(again) : runInForeground(options);
}

await runCommandLine(command, run);
