import type postgres from "postgres";
import type { BenchServer } from "../bench_server.ts";
import { loadFile, withSql } from "./load_data.ts";

/** A store of capacity.sql. */
export interface StoreBelowRoot {
  members: number;
  /** Members without a referrer. The default is one. */
  roots?: number;
  /** When everyone joined, got their points and bought. */
  at: Date;
  /** The bill and the logs get partitions until then. */
  end: Date;
  /** Frozen points of each member. The default is 15000. */
  points?: number;
  /** Whether everyone has an own order. Without it, it is a store for releases only. */
  withOrders?: boolean;
}

/**
 * Creates a store with everyone below one root, or below several, in which app.reconcile() finds nothing.
 * @returns its URL
 */
export async function createStoreBelowRoot(
  server: BenchServer,
  { members, roots = 1, at, end, points = 15_000, withOrders = true }: StoreBelowRoot,
): Promise<string> {
  const url = await server.createDatabase();
  for (const file of ["tree.sql", "capacity.sql"]) await loadFile(url, file);
  await withSql(url, (sql) => sql`call app.ensure_month_partitions(${at}::date, ${end}::date)`);
  await server.fill(url, async (sql) => {
    await sql`select setseed(0.42)`;
    await sql`call bench.grow_trees(${members}, ${roots})`;
    await sql`analyze bench.members`;
  });
  // Large stores take long, so all tables are written at the same time.
  const writes: ((sql: postgres.Sql) => Promise<unknown>)[] = [
    (sql) => sql`call bench.write_users(${at})`,
    (sql) => sql`call bench.write_balances(${at}, ${points})`,
    (sql) => sql`call bench.write_openings(${at}, ${points})`,
    ...(withOrders
      ? [
          (sql: postgres.Sql) => sql`call bench.write_orders(${at})`,
          (sql: postgres.Sql) => sql`call bench.write_settlements(${at})`,
        ]
      : []),
  ];
  await Promise.all(writes.map((write) => server.fill(url, write)));
  await withSql(url, (sql) => sql.unsafe("vacuum analyze"));
  return url;
}

/** When the members of a store with a history joined. Its releases begin with the next month, as in history.sql. */
export const JOINED = new Date("2019-12-15T00:00:00Z");

/**
 * Creates a store below one root with a release on each of a number of days, of which the last ones are not in a closed
 * month.
 * @returns its URL
 */
export async function createHistory(
  server: BenchServer,
  members: number,
  days: number,
  openDays: number,
): Promise<string> {
  const url = await createStoreBelowRoot(server, { members, at: JOINED, end: JOINED, points: 15_000 + 6 * days });
  await loadFile(url, "history.sql");
  await withSql(url, async (sql) => {
    await sql`call bench.write_history(${days})`;
    await sql`call bench.close_months(${days}, ${openDays})`;
    await sql`vacuum analyze`;
  });
  return url;
}
