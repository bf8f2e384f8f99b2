import type postgres from "postgres";
import { connect } from "../../scripts/testing/clone_database.ts";
import { stack } from "../../scripts/testing/stack.ts";

interface Lock {
  unlock(): Promise<void>;
}

/** Locks belong to their session and are released with it. */
async function lock(mode: "exclusive" | "shared", name: string): Promise<Lock> {
  const sql: postgres.Sql = connect(stack().database_url);
  await (mode === "shared"
    ? sql`select pg_advisory_lock_shared(hashtext(${name}))`
    : sql`select pg_advisory_lock(hashtext(${name}))`);
  return { unlock: () => sql.end() };
}

/** Gives a test exclusive access to the schedule, which exists only once, while it changes or compares it. */
export const lockSchedule = (): Promise<Lock> => lock("exclusive", "schedule of pg_cron");

/**
 * Held by a test that releases the points of all members of the shared store, or changes its business day. A test that
 * also changes the schedule takes that lock first.
 */
export const lockRelease = (): Promise<Lock> => lock("exclusive", "release of the day");

/** Held by tests that compare the balances of members before and after something else. */
export const putOffOthersRelease = (): Promise<Lock> => lock("shared", "release of the day");
