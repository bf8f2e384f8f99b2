import { setTimeout as pause } from "node:timers/promises";
import { Random } from "../demo/random.ts";
import type { ShowDetail } from "../ground/progress.ts";
import { withTemporaryPlace } from "../postgres/temporary_place.ts";
import { BREAKS, type Break } from "./breaks.ts";
import { compareAcknowledged } from "./checks.ts";
import { Clock } from "./clock.ts";
import { CRASHES, type EVENTS, type Fault, Injector, KILLS } from "./injector.ts";
import { JOBS_BY_HAND, startJobsByHand } from "./jobs_by_hand.ts";
import { compareWithModel } from "./replay.ts";
import { Requests } from "./requests.ts";
import { FaultStack } from "./stack.ts";
import { Workload } from "./workload.ts";

export interface FaultOptions {
  seed: number;
  /** How long faults are injected, in minutes. */
  minutes: number;
  /** Faults are injected for longer if there were fewer kills or crashes, or not every kind of fault. */
  kills: number;
  crashes: number;
  /** Breaks a mechanism first. The checks must then find something. */
  breaks: Break | undefined;
  show: ShowDetail;
}

export interface FaultReport {
  seed: number;
  seconds: number;
  faults: Record<Fault | keyof typeof EVENTS, number>;
  kills: number;
  crashes: number;
  requests: number;
  acknowledged: number;
  lost: string[];
  double: string[];
  /** How often the store refused a request for a reason that clients expect. */
  refusals: Record<string, number>;
  /**
   * Responses that no client must see, such as refusals for another reason, and requests that were not served after a
   * fault.
   */
  unexpected: string[];
  /** What app.reconcile() finds, and what differs from the reference model. */
  wrong: string[];
  slowestFirstRequestMs: number;
  longestLockMs: number;
  /** What took how long, in milliseconds. */
  phases: Record<string, number>;
  /** Faults that this machine cannot inject, with the reason. */
  skipped: string[];
}

/** How long faults are injected before the store rests, everything is compared, and the clock is moved. */
const ROUND_MS = 4 * 60_000;
const WARM_UP_MS = 4000;
const END_MS = 90_000;
/** Below this, a run does not wait for the schedule and for leases. */
const SHORT_MINUTES = 5;
const LEASES_END_EVERY_MS = 3000;
/** Jobs run once a minute. A call to a provider that was cut is repeated after 90 seconds. */
const DRAIN_MS = 5 * 60_000;

/** What the jobs still have to do. */
const LEFT = `
  select 'settlement jobs' as what, count(*) from app.settlement_jobs
  union all select 'changes of teams', count(*) from app.team_changes
  union all select 'calls to providers', count(*) from app.outbox
  union all select 'runs that were cut', count(*) from app.unfinished_runs()
  union all select 'days to release', cardinality(app.days_to_release(null, app.business_day(now())))
  union all select 'running jobs', count(*) from pg_stat_activity where query ilike 'call app.%' and state = 'active' and application_name <> '${JOBS_BY_HAND}'`;

/** Runs the workload under faults, lets the scheduled jobs end everything, and compares the result. */
export function runFaults(options: FaultOptions): Promise<FaultReport> {
  return withTemporaryPlace(async (place) => {
    options.show("a stack of its own");
    const begun = Date.now();
    const stack = await FaultStack.start(place);
    try {
      return await new Run(stack, options, begun).run();
    } finally {
      await stack.stop();
    }
  });
}

class Run {
  private readonly random: Random;
  private readonly requests: Requests;
  private readonly workload: Workload;
  private readonly injector: Injector;
  private readonly clock: Clock;
  private faultMs = 0;
  private readonly phases: Record<string, number> = {};
  private phaseBegun: number;
  private readonly wrong: string[] = [];
  private lost: string[] = [];
  private double: string[] = [];

  constructor(
    private readonly stack: FaultStack,
    private readonly options: FaultOptions,
    private readonly begun: number,
  ) {
    const { seed } = options;
    this.phaseBegun = begun;
    this.endPhase("start");
    this.random = new Random(seed);
    this.requests = new Requests(new Random(seed + 1));
    this.workload = new Workload(stack, this.requests, new Random(seed + 2));
    this.injector = new Injector(stack, new Random(seed + 3), this.isShort ? 4000 : 60_000, !this.isShort);
    this.clock = new Clock(stack, this.random);
    this.workload.afterPayment = () => this.injector.afterPayment();
  }

  async run(): Promise<FaultReport> {
    const { breaks } = this.options;
    if (breaks) await this.stack.with((sql) => sql.unsafe(BREAKS[breaks].sql));
    await this.workload.prepare();
    this.workload.start();
    await pause(WARM_UP_MS);
    this.endPhase("first orders");
    do {
      await this.workload.stop();
      // A clock moves between two statements, and not in a statement.
      await this.drain((what) => what === "running jobs");
      await this.clock.move();
      this.workload.start();
      await this.injector.crossMidnight(this.clock.midnight);
      this.endPhase("midnight");
      await this.injectFaults();
      this.endPhase("faults");
      this.options.show("the jobs end what is left");
      this.requests.endWithin(END_MS);
      await this.workload.stop();
      this.requests.endWithin(Infinity);
      this.endPhase("last responses");
      await this.endJobs();
      this.endPhase("jobs");
      await this.check(this.isOver());
      this.endPhase("comparison");
    } while (!this.isOver() && this.wrong.length + this.lost.length + this.double.length === 0);
    return this.report();
  }

  private get isShort(): boolean {
    return this.options.minutes < SHORT_MINUTES;
  }

  private isOver(): boolean {
    const { minutes, kills, crashes, breaks } = this.options;
    const hadAll = breaks !== undefined || this.injector.missing().length === 0;
    return (
      hadAll &&
      this.faultMs >= minutes * 60_000 &&
      this.injector.sum(KILLS) >= kills &&
      this.injector.sum(CRASHES) >= crashes
    );
  }

  private async injectFaults(): Promise<void> {
    const stopJobs = startJobsByHand(this.stack, this.random);
    let locked = await this.injector.holdLock();
    if (locked !== undefined) this.workload.startLocked(locked);
    const endLock = async () => {
      if (locked === undefined) return;
      locked = undefined;
      await this.injector.endLock();
      this.workload.endLocked();
    };
    const before = this.faultMs;
    const begun = Date.now();
    while (!this.isOver() && this.faultMs - before < ROUND_MS) {
      await this.injector.step();
      this.faultMs = before + Date.now() - begun;
      this.options.show(
        `${Math.floor(this.faultMs / 1000)} s of faults, ${this.injector.sum(KILLS)} kills, ${this.injector.sum(CRASHES)} crashes, ${this.requests.sent} requests, ${this.workload.acknowledged.length} acknowledged`,
      );
      // Some faults need payments, which stop once all clients wait for the locked rows.
      if (this.faultMs >= this.options.minutes * 60_000) await endLock();
    }
    await endLock();
    await stopJobs();
  }

  private endPhase(name: string): void {
    const now = Date.now();
    this.phases[name] = (this.phases[name] ?? 0) + now - this.phaseBegun;
    this.phaseBegun = now;
  }

  /**
   * Waits until the jobs have ended everything. The short form does not wait until the next minute, at which pg_cron
   * starts them, nor for the leases of workers that were killed.
   */
  private async endJobs(): Promise<void> {
    if (!this.isShort) return this.drain();
    const stopJobs = startJobsByHand(this.stack, this.random);
    const endLeases = () =>
      this.stack.with(
        (sql) => sql`update app.outbox set run_after = now() where state = 'waiting' and run_after > now()`,
      );
    await endLeases();
    const timer = setInterval(() => void endLeases(), LEASES_END_EVERY_MS);
    await this.drain();
    clearInterval(timer);
    await stopJobs();
  }

  /** Waits for the scheduled jobs. */
  private async drain(counts: (what: string) => boolean = () => true): Promise<void> {
    let left: string[] = [];
    for (const begun = Date.now(); Date.now() - begun < DRAIN_MS;) {
      const rows = await this.stack.with((sql) => sql.unsafe<{ what: string; count: string }[]>(LEFT), "owner");
      left = rows
        .filter(({ what, count }) => counts(what) && Number(count) > 0)
        .map(({ what, count }) => `${count} ${what}`);
      if (left.length === 0) return;
      this.options.show(`the jobs end what is left: ${left.join(", ")}`);
      await pause(200);
    }
    this.wrong.push(`The jobs did not end ${left.join(", ")}`);
  }

  private async check(isLast: boolean): Promise<void> {
    this.options.show("what was acknowledged is compared");
    await this.stack.with(async (sql) => {
      ({ lost: this.lost, double: this.double } = await compareAcknowledged(sql, this.workload.acknowledged));
      // A broken store may have lost what the comparisons need.
      const failed = (error: unknown) => [`The comparison failed: ${(error as Error).message}`];
      this.wrong.push(
        ...(await sql`select * from app.reconcile()`.then(
          (findings) => findings.map((finding) => JSON.stringify(finding)),
          failed,
        )),
      );
      if (!isLast) return;
      this.options.show("everything is replayed in the model");
      this.wrong.push(...(await compareWithModel(sql, this.workload.withPoints, this.clock.zones).catch(failed)));
    }, "owner");
  }

  private report(): FaultReport {
    const { injector, requests } = this;
    return {
      seed: this.options.seed,
      seconds: Math.round((Date.now() - this.begun) / 1000),
      faults: {
        ...injector.counts,
        clock_moved: this.clock.moves,
        midnight_passed: injector.midnights,
        lock_held: injector.lockMs.length,
      },
      kills: injector.sum(KILLS),
      crashes: injector.sum(CRASHES),
      requests: requests.sent,
      acknowledged: this.workload.acknowledged.length,
      refusals: this.workload.refusals,
      lost: this.lost,
      double: this.double,
      unexpected: [...requests.unexpected, ...injector.unserved, ...this.stack.exits],
      wrong: this.wrong,
      slowestFirstRequestMs: Math.round(injector.slowest),
      longestLockMs: Math.max(0, ...injector.lockMs),
      phases: this.phases,
      skipped: [
        ...(this.stack.disk
          ? []
          : [
              "full disks of the write-ahead log: this process may not mount a small file system (run it as root on Linux)",
            ]),
        ...(this.stack.hasPooler
          ? []
          : [
              "poolers that are killed or do not respond: PgBouncer is not installed (npm start -- --pooler installs it)",
            ]),
      ],
    };
  }
}
