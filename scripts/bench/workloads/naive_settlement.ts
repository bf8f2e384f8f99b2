import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import ws from "ws";
import { projectRoot, StackPlace } from "../../ground/paths.ts";
import { freePort, host } from "../../ground/ports.ts";
import { Running } from "../../ground/running.ts";
import { SETTLE } from "../data/baselines.ts";
import { createData, loadFile, nextOrder, transactionsOf, withSql } from "../data/load_data.ts";
import { settleFromClient } from "../naive/settle_from_client.ts";
import { runPgbench } from "../pgbench.ts";
import { median } from "../statistics.ts";
import type { Bench, Workload } from "../workload.ts";
import { RANDOM_TREE } from "./settle.ts";

const TIMES_FASTER = 20;
/** Orders per worker and round, and orders that two workers settle concurrently. */
const ORDERS_OF_A_WORKER = 3;
const RACED = 16;

/** Serves the tables over REST and passes a client of supabase-js to `work`. */
async function withClient<T>(databaseUrl: string, work: (client: SupabaseClient) => Promise<T>): Promise<T> {
  const place = new StackPlace(mkdtempSync(join(tmpdir(), "bench-rest-")));
  mkdirSync(place.logs);
  const running = new Running();
  try {
    const settings = { port: await freePort(), databaseUrl, secretKey: "sb_secret_bench" };
    const url = `http://${host}:${settings.port}`;
    // Node 20 has no WebSocket, and supabase-js requires one even if Realtime is not used.
    const client = createClient(url, settings.secretKey, {
      realtime: { transport: ws as never },
      auth: { persistSession: false },
    });
    await running.startPart({
      name: "The REST server",
      command: process.execPath,
      args: [join(projectRoot, "scripts/bootstrap.mjs"), "bench/naive/rest_server.ts"],
      env: { ...process.env, REST_SETTINGS: JSON.stringify(settings), NO_COLOR: "1" },
      logFile: place.logFile("rest"),
      isReady: async () => (await client.from("levels").select()).data?.length === 5,
    });
    return await work(client);
  } finally {
    await running.stop();
    rmSync(place.directory, { recursive: true, force: true });
  }
}

/** Settles orders with a number of workers, each of which takes the next one. @returns orders per second */
async function settleAll(client: SupabaseClient, first: number, workers: number): Promise<number> {
  const orders = workers * ORDERS_OF_A_WORKER;
  const started = performance.now();
  let next = first;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (next < first + orders) await settleFromClient(client, next++);
    }),
  );
  return (orders / (performance.now() - started)) * 1000;
}

export const naiveSettlement: Workload = {
  name: "naive_settlement",
  title: "Settle an order, compared with a client of supabase-js that does it row by row",
  async run(bench: Bench) {
    const ordersOfNaive = bench.size.clients * ORDERS_OF_A_WORKER * (bench.size.rounds + 1);
    const data = await createData(bench.server, {
      members: bench.size.tree,
      referrer: RANDOM_TREE,
      prepare: "call bench.set_grades()",
      paid: true,
      buyers: `bench.zipf_buyers(${Math.max(transactionsOf(bench.size), ordersOfNaive) + RACED})`,
    });
    const [ours, naive] = (await bench.server.copies(data, 2)) as [string, string];
    await loadFile(naive, join("..", "naive", "schema.sql"));
    const first = await nextOrder(naive);
    const speeds: { ours: number; naive: number }[] = [];
    const paidTwice = await withClient(naive, async (client) => {
      for (let round = 0; round <= bench.size.rounds; round += 1) {
        bench.show(`round ${round} of ${bench.size.rounds}`);
        const { transactionsPerSecond } = await runPgbench(bench.server.bin, ours, {
          script: SETTLE,
          clients: bench.size.clients,
          transactions: bench.size.transactions,
        });
        const ofNaive = await settleAll(
          client,
          first + round * bench.size.clients * ORDERS_OF_A_WORKER,
          bench.size.clients,
        );
        if (round > 0) speeds.push({ ours: transactionsPerSecond, naive: ofNaive });
      }
      const raced = Array.from({ length: RACED }, (_, index) => first + ordersOfNaive + index);
      for (const id of raced) await Promise.all([settleFromClient(client, id), settleFromClient(client, id)]);
      return withSql(naive, async (sql) =>
        Number(
          (
            await sql`
        select count(*) as twice from (select order_id from public.bill where type = 'commission' and order_id = any (${raced}) group by order_id having count(*) > 1) as t`
          )[0]?.twice,
        ),
      );
    });
    // The same race in the store.
    const oursTwice = await withSql(ours, async (sql) => {
      const from = Number((await sql`select nextval('bench.next_order') as id`)[0]?.id);
      const raced = Array.from({ length: RACED }, (_, index) => from + index);
      await Promise.all(
        [0, 1].map(() =>
          withSql(ours, async (worker) => {
            for (const id of raced) await worker`select app.settle_order(${id}, clock_timestamp())`;
          }),
        ),
      );
      return Number(
        (
          await sql`
        select count(*) as twice from (select order_id from app.user_bill where type = 'brokerage' and order_id = any (${raced}) group by order_id having count(*) > 1) as t`
        )[0]?.twice,
      );
    });
    await bench.server.dropDatabases([data, ours, naive]);
    return [
      {
        name: `${bench.size.clients} at once`,
        better: "higher",
        unit: "tx/s",
        aim: TIMES_FASTER,
        ours: median(speeds.map((speed) => speed.ours)),
        baseline: median(speeds.map((speed) => speed.naive)),
        ratio: median(speeds.map((speed) => speed.ours / speed.naive)),
      },
      {
        name: `paid twice, of ${RACED} orders that two settle at once`,
        better: "lower",
        unit: "orders",
        ours: oursTwice,
        baseline: paidTwice,
      },
    ];
  },
};
