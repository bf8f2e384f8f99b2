import { withConnection } from "../postgres/database_server.ts";
import { Problem } from "../ground/problem.ts";

const problems: Record<string, [message: string, advice: string]> = {
  missing: [
    "NO SCHEDULED JOB RUNS: pg_cron is not installed in this database. Points are not released, waiting orders are not settled, unpaid orders do not expire.",
    "Install pg_cron on the server, with this database as cron.database_name. Then run as the owner of the store:\n  create extension if not exists pg_cron;\n  select app.apply_schedule();",
  ],
  not_scheduled: [
    "SCHEDULED JOBS ARE MISSING in pg_cron.",
    "Run as the owner of the store:\n  select app.apply_schedule();",
  ],
};

/** What to tell the user if nothing runs the scheduled jobs; undefined if pg_cron has them. */
export async function schedulerProblem(databaseUrl: string): Promise<Problem | undefined> {
  const [row] = await withConnection(
    databaseUrl,
    (sql) => sql<{ state: string }[]>`select app.scheduler_state(now()) as state`,
  );
  const problem = problems[row!.state];
  return problem && new Problem(...problem);
}
