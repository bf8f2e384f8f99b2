import type postgres from "postgres";
import { connect } from "./database.ts";
import { stack } from "./stack.ts";

/** Gives a test exclusive access to the schedule, which exists only once, while it changes or compares it. */
export async function lockSchedule(): Promise<{ unlock(): Promise<void> }> {
  const sql: postgres.Sql = connect(stack().database_url);
  await sql`select pg_advisory_lock(hashtext('schedule of pg_cron'))`;
  // The lock belongs to the session and is released with it.
  return { unlock: () => sql.end() };
}
