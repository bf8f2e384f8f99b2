import { Cron } from "croner";
import type postgres from "postgres";
import { withConnection } from "../postgres/database_server.ts";

/** A row of cron.job. */
interface Job {
  jobid: string;
  schedule: string;
  command: string;
}

type Result = [status: "succeeded" | "failed", message: string];

const MINUTE_MS = 60_000;

/** After a longer gap, pg_cron runs only what is due now. Schedules are in GMT, as in pg_cron. */
const LONGEST_GAP_MS = 180 * MINUTE_MS;
const timezone = "Etc/GMT";

/** Whether a schedule has a minute in a period, which begins after `after` and includes `until`. */
export function isDue(schedule: string, after: Date, until: Date): boolean {
  const next = new Cron(schedule, { timezone }).nextRun(after);
  return next !== null && next <= until;
}

type Rows = postgres.RowList<postgres.Row[]>;

/**
 * The tag with which Postgres completed the last statement of a command.
 * @param result of several statements: their results
 */
function tagOf(result: Rows | Rows[]): string {
  const { command, count } = "command" in result ? result : result.at(-1)!;
  if (typeof count !== "number") return command;
  return command === "INSERT" ? `INSERT 0 ${count}` : `${command} ${count}`;
}

/** The message of an error as pg_cron records it. */
function textOf({ severity, message, detail, hint, where }: postgres.PostgresError): string {
  const parts = [
    ["DETAIL", detail],
    ["HINT", hint],
    ["CONTEXT", where],
  ].filter(([, text]) => text);
  return [`${severity || "ERROR"}: ${message}`, ...parts.map(([name, text]) => `${name}: ${text}`)].join("\n");
}

/**
 * Runs the jobs of cron.job for a database without pg_cron (`platform/04_cron_stand_in.sql`) and records the runs, as
 * pg_cron does: at the start of each minute, in GMT, each run in a session of its own. A job runs once at a time; a run
 * that becomes due meanwhile waits for the end of the one before.
 */
export class Scheduler {
  /** The last run of each job, after which the next one starts. */
  private readonly lastRuns = new Map<string, Promise<void>>();
  private clock: Cron | undefined;
  private isStopped = false;

  /**
   * @param url of the database, for the role that owns the jobs
   * @param checkedUntil jobs that were due until then are not started
   */
  constructor(
    private readonly url: string,
    private checkedUntil: Date,
  ) {}

  /** Starts the jobs that are due in every minute from now on. */
  async start(): Promise<void> {
    await withConnection(
      this.url,
      (sql) =>
        sql`update cron.job_run_details set status = 'failed', return_message = 'server restarted' where status = 'running'`,
    );
    this.clock = new Cron("* * * * *", { timezone, protect: true }, () =>
      this.tick(new Date(Math.round(Date.now() / MINUTE_MS) * MINUTE_MS)),
    );
  }

  /** Starts no further job. Running jobs end with their server. */
  stop(): void {
    this.isStopped = true;
    this.clock?.stop();
  }

  /** Like {@link startDueJobs}, but logs an error. While the database restarts, the jobs stay due. */
  async tick(until: Date): Promise<void> {
    await this.startDueJobs(until).catch((error: unknown) =>
      this.log(`The scheduled jobs could not be read: ${(error as Error).message}`),
    );
  }

  /**
   * Starts every job that became due after the last check, once.
   * @returns when the jobs are started; {@link idle} waits for their end
   */
  async startDueJobs(until: Date): Promise<void> {
    const jobs = await withConnection(
      this.url,
      (sql) =>
        sql<
          Job[]
        >`select jobid, schedule, command from cron.job where active and username = current_user order by jobid`,
    );
    const gap = until.getTime() - this.checkedUntil.getTime();
    const after = gap > LONGEST_GAP_MS ? new Date(until.getTime() - MINUTE_MS) : this.checkedUntil;
    this.checkedUntil = until;
    for (const job of jobs) if (isDue(job.schedule, after, until)) this.enqueue(job);
  }

  /** Waits until no job is running or waiting. */
  async idle(): Promise<void> {
    await Promise.all(this.lastRuns.values());
  }

  private enqueue(job: Job): void {
    const before = this.lastRuns.get(job.jobid) ?? Promise.resolve();
    // The end of the server cuts runs short. The next start records them as failed.
    this.lastRuns.set(
      job.jobid,
      before
        .then(() => this.run(job))
        .catch((error: unknown) =>
          this.log(`A scheduled job could not be run (${job.command}): ${(error as Error).message}`),
        ),
    );
  }

  private log(text: string): void {
    if (!this.isStopped) console.error(text);
  }

  private async run({ jobid, command }: Job): Promise<void> {
    await withConnection(this.url, async (sql) => {
      const [run] = await sql<{ runid: string }[]>`
        insert into cron.job_run_details (jobid, job_pid, database, username, command, status, start_time)
        values (${jobid}, pg_backend_pid(), current_database(), current_user, ${command}, 'running', clock_timestamp()) returning runid`;
      const [status, message] = await sql.unsafe(command).then(
        (result): Result => ["succeeded", tagOf(result as Rows | Rows[])],
        (error: unknown): Result => ["failed", textOf(error as postgres.PostgresError)],
      );
      // pg_cron writes it to the log of the server.
      if (status === "failed") this.log(`A scheduled job failed (${command}): ${message}`);
      await sql`update cron.job_run_details set status = ${status}, return_message = ${message}, end_time = clock_timestamp() where runid = ${run!.runid}`;
    });
  }
}

/** Whether a database has the tables that stand in for pg_cron (`platform/04_cron_stand_in.sql`). */
export async function hasStandIn(url: string): Promise<boolean> {
  const [row] = await withConnection(
    url,
    (sql) => sql<{ here: boolean }[]>`
    select to_regclass('cron.job') is not null and not exists (select from pg_extension where extname = 'pg_cron') as here`,
  );
  return row?.here === true;
}

/** Runs the scheduled jobs of a database without pg_cron in this process. @returns a function that stops it */
export async function startScheduler(url: string): Promise<() => Promise<void>> {
  const scheduler = new Scheduler(url, new Date());
  await scheduler.start();
  return () => {
    scheduler.stop();
    return Promise.resolve();
  };
}
