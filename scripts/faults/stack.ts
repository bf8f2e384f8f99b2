import { setTimeout as pause } from "node:timers/promises";
import type postgres from "postgres";
import { type Database, ownerUrl, startNewDatabase } from "../postgres/database.ts";
import { databaseUrl, superuserUrl } from "../postgres/database_server.ts";
import { buildFunctions } from "../generate/function_bundles.ts";
import type { ServedFunction } from "../stack/functions.ts";
import { startGateway } from "../stack/gateway.ts";
import { applyMigrations } from "../postgres/migrations.ts";
import type { Part } from "../ground/part.ts";
import type { StackPlace } from "../ground/paths.ts";
import { startPayments } from "../stack/payments.ts";
import { createPlatformRoles, preparePlatform } from "../postgres/platform.ts";
import { findPooler, startPooler } from "../scale/pooler.ts";
import { freePort, host } from "../ground/ports.ts";
import { choosePostgres } from "../postgres/choice.ts";
import { Running } from "../ground/running.ts";
import { startScheduler } from "../stack/scheduler.ts";
import { startAuth, startFunctions } from "../stack/stack.ts";
import { passwordOf } from "../ground/state.ts";
import { startWorkerCalls } from "../stack/worker.ts";
import { type CuttingProxy, startCuttingProxy } from "../testing/cutting_proxy.ts";
import { connect } from "../testing/clone_database.ts";
import { childPids, isAlive, kill } from "../testing/processes.ts";
import { prepareDatabase } from "../histories/database_store.ts";
import { moveLogToSmallDisk, type SmallDisk } from "./small_disk.ts";

/** How the sessions of the suite itself are called in pg_stat_activity. No fault hits them. */
const OWN_SESSIONS = "fault suite";

const AUTH_PAUSE_MS = 30_000;

/**
 * Jobs that run every minute here, so that faults hit them. On their usual schedule, they would run once during the
 * suite, or never.
 */
const FREQUENT_JOBS = ["fsgx_release_frozen_points", "continue_unfinished_runs", "receive_delivered_orders"];

/** PgBouncer in transaction mode. */
interface Pooler {
  part: Part;
  port: number;
}

/**
 * A stack of its own whose parts can be killed: a cluster with a small disk for the write-ahead log, the Auth server,
 * the edge functions behind a proxy to a pooler, the local payment provider. Nothing but the suite restarts the parts.
 */
export class FaultStack {
  /** Edge functions that have exited although nobody has killed them. */
  readonly exits: string[] = [];
  /** Starts the Auth server again, unless it was started a moment ago. */
  restartAuth = (): void => undefined;
  /** Edge functions and poolers that were killed and not restarted yet. */
  private readonly killed = new Set<Part>();

  private constructor(
    private readonly running: Running,
    private readonly database: Database,
    private readonly server: Part,
    private readonly functions: ServedFunction[],
    /** Undefined if PgBouncer is not installed. The functions then reach the server without a pooler. */
    private readonly pooler: Pooler | undefined,
    /** Between the functions and the pooler. */
    readonly proxy: CuttingProxy,
    /** Undefined if this process may not mount a file system. */
    readonly disk: SmallDisk | undefined,
    readonly addresses: { gateway: string; auth: string; publishableKey: string; secretKey: string },
  ) {}

  /** @param options.migrations the folder that contains supabase/migrations, if not that of the project */
  static async start(place: StackPlace, { migrations }: { migrations?: string } = {}): Promise<FaultStack> {
    const running = new Running();
    try {
      const install = await choosePostgres();
      const database = await startNewDatabase(place, install, await freePort(), running);
      const server = database.part!;
      await createPlatformRoles(database);
      await preparePlatform(database, database.name, { schedules: true, forTests: false });
      await applyMigrations(
        ownerUrl(database, database.name),
        "Fix the migration and run the command again.",
        migrations === undefined ? {} : { folder: migrations },
      );
      await configure(database);
      await server.endProcess();
      const disk = moveLogToSmallDisk(database.state.data_directory);
      if (disk) running.addStop(async () => disk.remove());
      running.addStop(() => server.stop());
      await server.restart();

      const { state } = database;
      const gatewayPort = await freePort();
      const supabaseUrl = `http://${host}:${gatewayPort}`;
      const auth = await startAuth(place, database, supabaseUrl, running);
      const payments = await startPayments(place, state, supabaseUrl, running);
      const pooler = await startPoolerOf(database, place, running);
      const proxy = await startCuttingProxy(
        databaseUrl({ ...database.server, port: pooler?.port ?? database.server.port }, "store_api", "", database.name),
      );
      running.addStop(() => proxy.stop());
      const bundles = await buildFunctions();
      const functions = await startFunctions(
        place,
        { ...database, poolerPort: Number(new URL(proxy.url).port) },
        { supabaseUrl, functionsUrl: `${supabaseUrl}/functions/v1` },
        payments,
        () => bundles,
        running,
      );
      const upstreams = [
        { prefix: "/auth/v1", port: auth.port, strip: "" },
        { prefix: "/pay", port: payments.port, strip: "" },
        ...functions.map(({ name, port }) => ({ prefix: `/functions/v1/${name}`, port, strip: "/functions/v1" })),
      ];
      running.addStop(await startGateway(gatewayPort, upstreams, { sites: [], publishableKey: state.publishable_key }));
      if (database.kind === "embedded") running.addStop(await startScheduler(ownerUrl(database, database.name)));
      running.addStop(
        startWorkerCalls(functions.find(({ name }) => name === "worker")!.port, passwordOf(state, "worker")),
      );
      const stack = new FaultStack(running, database, server, functions, pooler, proxy, disk, {
        gateway: supabaseUrl,
        auth: `http://${host}:${auth.port}`,
        publishableKey: state.publishable_key,
        secretKey: state.secret_key,
      });
      // That of development does not survive every fault. Hosted projects have another.
      stack.keepAlive(auth.part, () => undefined);
      let restarted = Date.now();
      stack.restartAuth = () => {
        if (Date.now() - restarted < AUTH_PAUSE_MS) return;
        restarted = Date.now();
        kill(auth.part.pid);
      };
      const watch = (name: string, part: Part) =>
        stack.keepAlive(part, () =>
          stack.killed.has(part) ? undefined : stack.exits.push(`${name} has exited by itself`),
        );
      for (const { name, part } of functions) watch(`The edge function ${name}`, part);
      if (pooler) watch("PgBouncer", pooler.part);
      return stack;
    } catch (error) {
      await running.stop();
      throw error;
    }
  }

  /** The address of its database, for role postgres. */
  get ownerUrl(): string {
    return ownerUrl(this.database, this.database.name);
  }

  /** Whether the functions reach the server through a pooler. */
  get hasPooler(): boolean {
    return this.pooler !== undefined;
  }

  /** Whether pg_cron runs the scheduled jobs, in sessions of the server that can be killed. */
  get hasPgCron(): boolean {
    return this.database.kind !== "embedded";
  }

  stop(): Promise<void> {
    return this.running.stop();
  }

  /** The address of an edge function. Unlike that of the gateway, it shows what the function itself responds. */
  address(name: string): string {
    return `http://${host}:${this.function(name).port}`;
  }

  /** Opens a connection to the database for the owner of the store, or for the superuser. */
  connect(role: "owner" | "superuser" = "owner", name = OWN_SESSIONS): postgres.Sql {
    const url =
      role === "owner"
        ? ownerUrl(this.database, this.database.name)
        : superuserUrl(this.database.server, this.database.name);
    // The driver does not handle the loss of the connection while it fetches types.
    return connect(url, { fetch_types: false, connect_timeout: 5, connection: { application_name: name } });
  }

  /** Runs `work` on a connection of its own, which a crash may have closed before. */
  async with<T>(work: (sql: postgres.Sql) => PromiseLike<T>, role: "owner" | "superuser" = "superuser"): Promise<T> {
    const sql = this.connect(role);
    try {
      return await work(sql);
    } finally {
      await sql.end({ timeout: 1 });
    }
  }

  /** The process ids of sessions, busy ones first. @param condition on the columns of pg_stat_activity */
  async sessions(condition: string, limit: number): Promise<number[]> {
    const rows = await this.with((sql) =>
      sql.unsafe(
        `select a.pid from pg_stat_activity as a
      where a.pid <> pg_backend_pid() and a.application_name <> '${OWN_SESSIONS}' and a.backend_type in ('client backend', 'pg_cron') and (${condition})
      order by a.state = 'active' desc nulls last, random() limit ${limit}`,
      ),
    );
    return rows.map(({ pid }) => Number(pid));
  }

  /** Waits until the server has noticed a crash, and has closed all connections. */
  async untilCrash(crash: () => void): Promise<void> {
    const witness = this.connect("superuser");
    const pid = async () => Number((await witness`select pg_backend_pid() as pid`)[0]!.pid);
    try {
      const before = await pid();
      crash();
      for (const begun = Date.now(); Date.now() - begun < 5000;) {
        // The driver connects again.
        if ((await pid()) !== before) return;
      }
    } catch {
      // The connection is lost.
    } finally {
      await witness.end({ timeout: 1 });
    }
  }

  /** Kills the server: only its first process, so that the others notice, or all at once. */
  killServer(all: boolean): void {
    const { pid } = this.server;
    const others = all ? childPids(pid) : [];
    for (const each of [pid, ...others]) kill(each);
  }

  /**
   * Kills an edge function. It starts again by itself, as on a platform that starts an instance for the next request.
   */
  killFunction(name: string): void {
    this.kill(this.function(name).part);
  }

  /** Kills the pooler, with all connections to it and to the server. */
  killPooler(): void {
    this.kill(this.pooler!.part);
  }

  /** Stops the pooler for a while. Its connections stay open and do not respond. */
  async suspendPooler(ms: number): Promise<void> {
    const { pid } = this.pooler!.part;
    process.kill(pid, "SIGSTOP");
    await pause(ms);
    process.kill(pid, "SIGCONT");
  }

  private kill(part: Part): void {
    this.killed.add(part);
    kill(part.pid);
  }

  /**
   * Waits until the edge functions and poolers that were killed are ready, and the pooler, which pauses after a failed
   * login, serves the functions.
   */
  async waitForParts(): Promise<void> {
    while (this.killed.size > 0) await pause(20);
    if (this.pooler) await until("The pooler did not get a connection", () => this.isServedBy(this.pooler!));
  }

  private async isServedBy({ port }: Pooler): Promise<boolean> {
    const { server, state, name } = this.database;
    const sql = connect(databaseUrl({ ...server, port }, "store_api", passwordOf(state, "store_api"), name), {
      prepare: false,
      fetch_types: false,
      connect_timeout: 5,
      connection: { application_name: OWN_SESSIONS },
    });
    try {
      return await sql`select 1`.then(
        () => true,
        () => false,
      );
    } finally {
      await sql.end({ timeout: 1 });
    }
  }

  /** Starts a part again whenever it has exited. @param onExit called before */
  private keepAlive(part: Part, onExit: () => unknown): void {
    let isOver = false;
    this.running.addStop(async () => void (isOver = true));
    void (async () => {
      for (;;) {
        await part.exited;
        if (isOver) return;
        onExit();
        await part.restart().catch(() => part.endProcess());
        this.killed.delete(part);
      }
    })();
  }

  /** Waits until the server accepts connections, and starts it if it has exited. */
  async waitForServer(): Promise<void> {
    await until("The server did not come back", async () => {
      if (
        await this.with((sql) => sql`select 1`).then(
          () => true,
          () => false,
        )
      )
        return true;
      // After a kill of its first process, it cannot start before the others have noticed.
      if (!isAlive(this.server.pid)) await this.server.restart().catch(() => this.server.endProcess());
      return false;
    });
  }

  private function(name: string): ServedFunction {
    return this.functions.find((each) => each.name === name)!;
  }
}

/** Waits for a condition, at most a minute. */
async function until(problem: string, condition: () => Promise<boolean>): Promise<void> {
  for (const begun = Date.now(); Date.now() - begun < 60_000;) {
    if (await condition()) return;
    await pause(20);
  }
  throw new Error(`${problem} within a minute.`);
}

/** Starts PgBouncer in front of the server, if it is installed. */
async function startPoolerOf(
  { server, state, name }: Database,
  place: StackPlace,
  running: Running,
): Promise<Pooler | undefined> {
  const program = findPooler();
  if (program === undefined) return undefined;
  const passwords = Object.fromEntries(["postgres", "store_api"].map((role) => [role, passwordOf(state, role)]));
  return startPooler(
    { program, server, passwords, database: name, files: state.data_directory, logFile: place.logFile("pgbouncer") },
    running,
  );
}

/** Settings of the store that the workload needs, and of the server that make faults frequent. */
async function configure(database: Database): Promise<void> {
  const superuser = connect(superuserUrl(database.server, database.name));
  // Locks of a prepared transaction outlast crashes.
  for (const setting of [
    "max_prepared_transactions = 2",
    "max_wal_size = '64MB'",
    "min_wal_size = '32MB'",
    "log_min_messages = 'fatal'",
  ])
    await superuser.unsafe(`alter system set ${setting}`);
  await superuser.end();
  const sql = connect(ownerUrl(database, database.name));
  await prepareDatabase(sql);
  // Commission can be withdrawn after the receipt, and few points pay much.
  await sql`select app.create_plan('{"holding_days": 0}', null, now())`;
  await sql`select app.set_settings('{"points_rate": 0.01, "points_max_share": 0.5}', now())`;
  await sql`update app.scheduled_jobs set schedule = '* * * * *' where name = any (${FREQUENT_JOBS})`;
  await sql`select app.apply_schedule()`;
  await sql`call app.release_frozen_points()`;
  await sql.end();
}
