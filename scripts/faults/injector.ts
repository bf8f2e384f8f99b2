import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "../demo/random.ts";
import { MESSAGE } from "../testing/cutting_proxy.ts";
import { kill } from "../testing/processes.ts";
import { JOBS_BY_HAND, runJob } from "./jobs_by_hand.ts";
import type { FaultStack } from "./stack.ts";

export const FAULTS = {
  session_terminated: "sessions terminated (pg_terminate_backend)",
  sweep_killed: "sweeps of settlement jobs terminated in the middle of a batch",
  leader_killed: "settlement leaders terminated in the middle of a batch",
  release_killed: "releases terminated in the middle of a day",
  range_killed: "nights of several sessions of which one was terminated in its range",
  cron_killed: "jobs terminated that pg_cron ran",
  job_killed: "other jobs terminated",
  session_killed: "sessions killed with SIGKILL, crash recovery",
  server_killed: "servers killed with SIGKILL, crash recovery",
  function_killed: "edge functions killed",
  killed_before_settlement: "edge functions killed between payment and settlement",
  pooler_cut: "connections to the pooler cut",
  pooler_killed: "poolers killed with SIGKILL",
  pooler_suspended: "poolers that did not respond for seconds",
  log_disk_full: "full disks of the write-ahead log",
  rows_locked: "locks held on rows that many need",
} as const;

/** What happens once in each round. */
export const EVENTS = {
  clock_moved: "moves of the clock over missed days",
  midnight_passed: "midnights that came while jobs ran",
  lock_held: "locks held over all these faults and crashes",
} as const;

export type Fault = keyof typeof FAULTS;

/** The faults that are kills, and those after which the server recovers from a crash. */
export const KILLS: Fault[] = [
  "session_terminated",
  "sweep_killed",
  "leader_killed",
  "release_killed",
  "range_killed",
  "cron_killed",
  "job_killed",
  "session_killed",
  "server_killed",
  "function_killed",
  "killed_before_settlement",
  "pooler_killed",
];
export const CRASHES: Fault[] = ["session_killed", "server_killed", "log_disk_full"];

type JobFault = "sweep_killed" | "leader_killed" | "release_killed" | "range_killed" | "cron_killed" | "job_killed";

/**
 * The sessions that run a job, as a condition on pg_stat_activity. While rows are locked, a sweep or a leader waits for
 * them in a batch, and a release tries them again and again.
 */
const JOBS: Record<JobFault, string> = {
  sweep_killed: "a.query ilike 'call app.drain_settlement_jobs%'",
  leader_killed:
    "a.usename = 'store_api' and exists (select from pg_locks as l where l.pid = a.pid and l.granted and l.classid = app.lock_number('settlement')::oid)",
  release_killed:
    "a.query ilike 'call app.release_frozen_points%' and exists (select from app.release_runs as r where r.finished_at is null)",
  range_killed:
    "exists (select from app.job_runs as r join app.release_ranges as g on g.run = r.id where r.pid = a.pid and r.ended_at is null and g.after_uid < g.last_uid)",
  cron_killed: "a.backend_type = 'pg_cron'",
  job_killed: `(a.application_name = '${JOBS_BY_HAND}' or a.query ilike 'call app.%' or (a.usename = 'store_api' and a.wait_event_type = 'Lock'))`,
};

const LONG_LOCK = "fault suite";
/** Payments and settlements after midnight, before the jobs go on. */
const AFTER_MIDNIGHT_MS = 500;
const FULL_DISK_MS = 4000;
const JOB_PATIENCE_MS = 1500;
/** So many that hardly an order can be settled. */
const MEMBERS_OF_SWEEPS = 20;
/** pg_cron starts jobs at the next minute. */
const CRON_PATIENCE_MS = 62_000;

/** Injects one fault after the other. After each, the first request must be served. */
export class Injector {
  readonly counts = Object.fromEntries(Object.keys(FAULTS).map((fault) => [fault, 0])) as Record<Fault, number>;
  midnights = 0;
  /** How long each lock was held that outlasts crashes, in milliseconds. */
  readonly lockMs: number[] = [];
  private lockedSince = 0;
  /** First requests after a fault that were not served. */
  readonly unserved: string[] = [];
  /** The longest time from the end of a fault to the response of the first request, in milliseconds. */
  slowest = 0;
  /** Whether the function that served the next payment is to be killed. */
  private killsAfterPayment = false;

  /**
   * @param holdMs how long locks are held at most
   * @param waitsForSchedule whether there is time to wait until pg_cron runs its jobs
   */
  constructor(
    private readonly stack: FaultStack,
    private readonly random: Random,
    private readonly holdMs: number,
    private readonly waitsForSchedule: boolean,
  ) {}

  sum(faults: Fault[]): number {
    return faults.reduce((sum, fault) => sum + this.counts[fault], 0);
  }

  /** To be called when a payment was acknowledged. */
  afterPayment(): void {
    if (!this.killsAfterPayment) return;
    this.killsAfterPayment = false;
    this.counts.killed_before_settlement += 1;
    this.stack.killFunction("adminapi");
    this.stack.killFunction("api");
  }

  /**
   * Lets midnight come while releases, several times at once, wait for rows in the middle of a day. One is terminated
   * in its range, another anywhere.
   */
  async crossMidnight(midnight: number): Promise<void> {
    let releases: Promise<void>[] = [];
    await this.whileLocked(async () => {
      releases = [1, 2, 3].map(() => runJob(this.stack, "call app.release_frozen_points(null, null, 3)"));
      await pause(Math.max(0, midnight - Date.now() - 100));
      const running = await this.stack.sessions(`a.state = 'active' and a.application_name = '${JOBS_BY_HAND}'`, 1);
      if (running.length > 0 && Date.now() < midnight) this.midnights += 1;
      await pause(Math.max(0, midnight - Date.now()) + AFTER_MIDNIGHT_MS);
      await this.killJob("range_killed");
      await this.killJob("release_killed");
    }, 3);
    await Promise.all(releases);
  }

  /**
   * Locks the balances of a member who earns, in a prepared transaction: it outlasts every session and every crash.
   * @returns the member, if there is one
   */
  holdLock(): Promise<number | undefined> {
    return this.stack.with(async (sql) => {
      await sql`begin`;
      const [row] =
        await sql`select b.uid from app.user_balances as b where b.frozen_points >= 1 order by b.total_places, b.uid limit 1 for update`;
      if (!row) return undefined;
      await sql.unsafe(`prepare transaction '${LONG_LOCK}'`);
      this.lockedSince = Date.now();
      return Number(row.uid);
    });
  }

  async endLock(): Promise<void> {
    await this.stack.with((sql) => sql.unsafe(`rollback prepared '${LONG_LOCK}'`));
    this.lockMs.push(Date.now() - this.lockedSince);
  }

  /** The kinds of faults that were not injected yet. */
  missing(): Fault[] {
    return (Object.keys(FAULTS) as Fault[]).filter((fault) => this.counts[fault] === 0 && this.isPossible(fault));
  }

  private isPossible(fault: Fault): boolean {
    switch (fault) {
      case "log_disk_full":
        return this.stack.disk !== undefined;
      case "pooler_killed":
      case "pooler_suspended":
        return this.stack.hasPooler;
      case "cron_killed":
        return this.stack.hasPgCron && this.waitsForSchedule;
      default:
        return true;
    }
  }

  /** One fault and its end, then the first request after it. */
  async step(): Promise<void> {
    const missing = this.missing();
    const usual: Fault[] = [
      ...Array<Fault>(8).fill("session_terminated"),
      ...Array<Fault>(7).fill("session_killed"),
      "sweep_killed",
      "sweep_killed",
      "leader_killed",
      "release_killed",
      "range_killed",
      "job_killed",
      ...Array<Fault>(3).fill("server_killed"),
      ...Array<Fault>(3).fill("pooler_cut"),
      "pooler_killed",
      "pooler_killed",
      "pooler_suspended",
      "function_killed",
      "killed_before_settlement",
      "rows_locked",
      "log_disk_full",
    ];
    const fault =
      missing.length > 0 && this.random.chance(0.7)
        ? this.random.pick(missing)
        : this.random.pick(usual.filter((each) => this.isPossible(each)));
    await this.inject(fault);
    await this.stack.waitForServer();
    await this.stack.waitForParts();
    // Until then, the functions may not have been told that their connections are closed.
    await pause(50);
    await this.probe(fault);
  }

  async inject(fault: Fault): Promise<void> {
    switch (fault) {
      case "session_terminated":
        return this.terminate(5 + this.random.below(10));
      case "sweep_killed":
      case "leader_killed":
      case "release_killed":
      case "range_killed":
      case "cron_killed":
      case "job_killed":
        return this.killJobs(fault);
      case "session_killed":
        return this.killSession();
      case "server_killed":
        return this.killServer();
      case "function_killed":
        return this.killFunction(this.random.pick(["api", "adminapi", "worker"]));
      case "killed_before_settlement":
        return this.killBeforeSettlement();
      case "pooler_cut":
        return this.cutPooler();
      case "pooler_killed":
        return this.killPooler();
      case "pooler_suspended":
        return this.suspendPooler();
      case "log_disk_full":
        return this.fillDisk();
      case "rows_locked":
        return this.lockRows();
    }
  }

  private async terminate(times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      const [row] = await this.stack
        .with(
          (sql) => sql`
        select count(*) filter (where pg_terminate_backend(v.pid))::integer as killed from (
          select a.pid from pg_stat_activity as a
          where a.backend_type = 'client backend' and a.usename in ('store_api', 'postgres', 'supabase_auth_admin') and a.application_name not like 'fault %'
          order by a.state = 'active' desc, random() limit 2
        ) as v`,
        )
        .catch(() => []);
      this.counts.session_terminated += row?.killed ?? 0;
      await pause(this.random.below(80));
    }
  }

  /**
   * While rows are locked that they need, jobs wait in the middle of a batch. A sweep is started, because functions
   * settle most orders before one comes.
   */
  private async killJobs(fault: JobFault): Promise<void> {
    const isSweep = fault === "sweep_killed";
    const patience = fault === "cron_killed" ? CRON_PATIENCE_MS : JOB_PATIENCE_MS;
    let sweep: Promise<void> | undefined;
    await this.whileLocked(
      async () => {
        for (
          const begun = Date.now();
          Date.now() - begun < patience && !(fault === "cron_killed" && this.counts.cron_killed > 0);
        ) {
          if (isSweep)
            sweep ??= runJob(this.stack, "call app.drain_settlement_jobs()").finally(() => {
              sweep = undefined;
            });
          if (!(await this.killJob(fault))) await pause(10);
        }
      },
      isSweep ? MEMBERS_OF_SWEEPS : 1,
    );
    await sweep;
  }

  /** @returns whether there was a job to terminate */
  private async killJob(fault: JobFault): Promise<boolean> {
    const [pid] = await this.stack.sessions(`a.state = 'active' and ${JOBS[fault]}`, 1);
    if (pid === undefined) return false;
    await pause(this.random.below(60));
    const [row] = await this.stack.with((sql) => sql`select pg_terminate_backend(${pid}) as killed`);
    if (row?.killed) this.counts[fault] += 1;
    return true;
  }

  private async killSession(): Promise<void> {
    const [pid] = await this.stack.sessions("true", 1);
    if (pid === undefined) return;
    await this.stack.untilCrash(() => kill(pid));
    this.counts.session_killed += 1;
  }

  private async killServer(): Promise<void> {
    this.stack.killServer(this.random.chance(0.5));
    this.counts.server_killed += 1;
    await pause(this.random.below(300));
  }

  private killFunction(name: string): void {
    this.stack.killFunction(name);
    this.counts.function_killed += 1;
  }

  /** A lock delays the settlement in the background, so that it has not ended when the function is killed. */
  private async killBeforeSettlement(): Promise<void> {
    await this.whileLocked(async () => {
      this.killsAfterPayment = true;
      for (const begun = Date.now(); this.killsAfterPayment && Date.now() - begun < 3000;) await pause(5);
    }, 3);
    this.killsAfterPayment = false;
  }

  private async cutPooler(): Promise<void> {
    const { proxy } = this.stack;
    this.counts.pooler_cut += 1;
    switch (this.random.below(3)) {
      case 0:
        return proxy.cutAll();
      case 1:
        proxy.cutAfter(MESSAGE.row);
        // Whoever sends the next statement loses its connection after the response was written.
        await fetch(`${this.stack.address("api")}/api/product`).then((response) => response.body?.cancel());
        return;
      default:
        proxy.refuse(true);
        proxy.cutAll();
        await pause(200 + this.random.below(600));
        proxy.refuse(false);
    }
  }

  private async killPooler(): Promise<void> {
    this.stack.killPooler();
    this.counts.pooler_killed += 1;
    await pause(this.random.below(300));
  }

  private async suspendPooler(): Promise<void> {
    await this.stack.suspendPooler(this.holdMs / 4 + this.random.below(this.holdMs / 4));
    this.counts.pooler_suspended += 1;
  }

  /** The server panics when it needs another segment of the log, and cannot recover before there is space. */
  private async fillDisk(): Promise<void> {
    const { disk } = this.stack;
    disk!.fill();
    this.counts.log_disk_full += 1;
    for (const begun = Date.now(); Date.now() - begun < FULL_DISK_MS;) {
      if (
        await this.stack
          .with((sql) => sql`select pg_switch_wal(), pg_logical_emit_message(true, 'fault', repeat('x', 1000000))`)
          .then(
            () => false,
            () => true,
          )
      )
        break;
    }
    await pause(100 + this.random.below(400));
    disk!.free();
  }

  private async lockRows(): Promise<void> {
    await this.whileLocked(() => pause(this.holdMs / 4 + this.random.below(this.holdMs * 0.75)), 5);
    this.counts.rows_locked += 1;
  }

  /**
   * Runs `work` while another transaction holds the balances of members whom many orders pay. One of them may be locked
   * for the whole round.
   */
  private async whileLocked(work: () => Promise<void>, members: number): Promise<void> {
    const holder = this.stack.connect("superuser");
    try {
      await holder.begin(async (transaction) => {
        await transaction`
          select from app.user_balances as b
          where b.uid in (select t.uid from app.user_balances as t order by t.total_places desc, random() limit ${members}) order by b.uid for update skip locked`;
        await work();
      });
    } catch {
      // The session was lost with the server.
    } finally {
      await holder.end({ timeout: 1 });
    }
  }

  /** The first request after a fault. Connections that a fault has broken must not fail it. */
  private async probe(fault: Fault): Promise<void> {
    for (const path of ["api/product", "api/health"]) {
      const begun = performance.now();
      const outcome = await fetch(`${this.stack.address("api")}/${path}`, { signal: AbortSignal.timeout(30_000) }).then(
        async (response) => (response.ok ? undefined : `${response.status} ${(await response.text()).slice(0, 200)}`),
        (error: unknown) => String(error),
      );
      this.slowest = Math.max(this.slowest, performance.now() - begun);
      if (outcome) this.unserved.push(`after ${fault}: GET /${path} got ${outcome}`);
    }
  }
}
