import type postgres from "postgres";
import { connect } from "./database.ts";
import { stack } from "./stack.ts";

/** There is one schedule, in one database: a test that changes it or compares it has it to itself for as long as it holds this. */
export async function lockSchedule(): Promise<{ unlock(): Promise<void> }> {
  const sql: postgres.Sql = connect(stack().database_url);
  await sql`select pg_advisory_lock(hashtext('schedule of pg_cron'))`;
  // The lock is the session's and ends with it.
  return { unlock: () => sql.end() };
}
