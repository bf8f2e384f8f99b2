import { readFileSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import type { BenchServer } from "../bench_server.ts";
import { connectTo } from "../bench_server.ts";

const load = (name: string) => readFileSync(join(import.meta.dirname, name), "utf8");

/** The members and waiting orders of a workload. */
export interface Data {
  members: number;
  /** SQL expression over i, the number of a member: the number of the referrer, or null. */
  referrer: string;
  /** SQL of an array of buyers. Their orders are placed in this order. */
  buyers?: string;
  /** SQL run before the orders are placed. */
  prepare?: string;
  /** Whether the orders are paid, so that settlement jobs wait. */
  paid?: boolean;
  /** The number of orders per batch of WRITE_BATCH. Without it, nothing is recorded. */
  recorded?: number;
}

/** Creates a database with this data. @returns its URL */
export async function createData(server: BenchServer, data: Data): Promise<string> {
  const url = await server.createDatabase();
  const sql = connectTo(url);
  try {
    await sql.unsafe(load("tree.sql"));
    await sql`select setseed(0.42)`;
    await sql`call bench.grow(${data.members}, ${data.referrer})`;
    if (data.prepare) await sql.unsafe(data.prepare);
    // Cleans up after creating the members, so that it does not slow down the first orders.
    await sql.unsafe("vacuum full analyze app.user_balances");
    await sql.unsafe("vacuum analyze");
    if (data.buyers)
      await sql.unsafe(
        `do $$ declare v_buyers bigint[] := ${data.buyers}; begin call bench.place_orders(v_buyers); end $$`,
      );
    if (data.paid) await sql`call bench.pay_orders()`;
    await sql.unsafe("vacuum analyze");
    if (data.recorded) await sql.unsafe(load("recorded.sql"));
  } finally {
    await sql.end();
  }
  if (data.recorded) await record(server, url, data.recorded, data.paid);
  return url;
}

const RECORDED = ["batches", "settlements", "maturities", "bill", "level_changes", "events", "balances"];

/**
 * Settles the orders in a copy of the database and copies the written rows to schema bench of the database.
 * @param paid whether the orders are paid. Otherwise, those of the copy are paid first
 */
async function record(server: BenchServer, url: string, size: number, paid = false): Promise<void> {
  const copy = await server.createDatabase(url);
  await withSql(copy, async (sql) => {
    // Plans created for empty tables would later scan all recorded rows for each batch.
    await sql`set enable_seqscan = off`;
    // With that setting, a statement that has to scan a table counts as expensive enough to be compiled.
    await sql`set jit = off`;
    if (!paid) await sql`call bench.pay_orders()`;
    await sql`call bench.record_settlements(${size})`;
  });
  for (const table of RECORDED) await server.copyTable(`bench.${table}`, copy, url);
  await withSql(url, (sql) => sql.unsafe(`vacuum analyze ${RECORDED.map((table) => `bench.${table}`).join(", ")}`));
  await server.dropDatabases([copy]);
}

/** Runs `work` in a new session, like a scheduled job. */
export async function withSql<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = connectTo(url);
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

/** Returns the number of the next order that no client has taken. */
export function nextOrder(url: string): Promise<number> {
  return withSql(url, async (sql) =>
    Number((await sql<{ next: string }[]>`select last_value as next from bench.next_order`)[0]?.next),
  );
}

/** Runs a file of this folder on a database. */
export async function loadFile(url: string, name: string): Promise<void> {
  await withSql(url, (sql) => sql.unsafe(load(name)));
}

/** The number of transactions on one side of a comparison, including the warm-up. */
export const transactionsOf = (size: { clients: number; transactions: number; rounds: number }) =>
  size.clients * size.transactions * (size.rounds + 1);
