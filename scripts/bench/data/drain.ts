import { BATCH } from "./baselines.ts";
import { withSql } from "./load_data.ts";

/** Settles all waiting jobs with a number of workers. */
export async function drain(url: string, workers = 1): Promise<void> {
  await Promise.all(
    Array.from({ length: workers }, () =>
      withSql(url, async (sql) => {
        for (;;) {
          const [row] = await sql`select app.run_settlement_jobs(${BATCH}) as done`;
          if (row?.done === 0) return;
        }
      }),
    ),
  );
}

/** Postpones all jobs except the next ones, so that every round has the same number. */
export async function releaseJobs(url: string, count: number): Promise<void> {
  await withSql(url, async (sql) => {
    await sql`update app.settlement_jobs set run_after = 'infinity' where run_after < 'infinity'`;
    await sql`
      update app.settlement_jobs set run_after = now()
      where order_id in (select order_id from app.settlement_jobs order by order_id limit ${count})`;
    await sql.unsafe("vacuum analyze app.settlement_jobs");
  });
}
