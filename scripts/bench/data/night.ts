import type postgres from "postgres";

/**
 * A nightly run, like that of the scheduled job. Throws if it found something: then the data are not those of a store.
 */
export async function night(sql: postgres.Sql): Promise<void> {
  await sql`call app.record_reconcile()`;
  const [run] = await sql`select findings, sample from app.reconcile_runs order by id desc limit 1`;
  if (run?.findings !== 0) throw new Error(`The nightly run has findings: ${JSON.stringify(run)}`);
}
