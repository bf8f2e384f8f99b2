import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchServer } from "../bench_server.ts";
import { connectTo } from "../bench_server.ts";

const load = (name: string) => readFileSync(join(import.meta.dirname, name), "utf8");

/** The members of a workload and the orders that wait in it. */
export interface Data {
  members: number;
  /** SQL over i, the number of the member: the number of the referrer or null. */
  referrer: string;
  /** SQL of the array of buyers; their orders are placed in this order. */
  buyers?: string;
  /** SQL run before the orders are placed. */
  prepare?: string;
  /** Whether the orders are paid and wait for their settlement. */
  paid?: boolean;
  /** Whether bench.recorded is filled, for WRITE_SETTLEMENT. */
  recorded?: boolean;
}

/** Makes a database with this data and returns its address. */
export async function createData(server: BenchServer, data: Data): Promise<string> {
  const url = await server.createDatabase();
  const sql = connectTo(url);
  try {
    await sql.unsafe(load("tree.sql"));
    await sql`select setseed(0.42)`;
    await sql`call bench.grow(${data.members}, ${data.referrer})`;
    if (data.prepare) await sql.unsafe(data.prepare);
    await sql.unsafe("vacuum analyze");
    if (data.buyers) await sql.unsafe(`call bench.place_orders(${data.buyers})`);
    if (data.paid) await sql`call bench.pay_orders()`;
    await sql.unsafe("vacuum analyze");
    if (data.recorded) {
      await sql.unsafe(load("recorded.sql"));
      await sql`call bench.record_settlements()`;
      await sql.unsafe("vacuum full analyze");
    }
  } finally {
    await sql.end();
  }
  return url;
}

/** How many transactions a comparison makes on one side, warm-up included. */
export const transactionsOf = (size: { clients: number; transactions: number; rounds: number }) =>
  size.clients * size.transactions * (size.rounds + 1);
