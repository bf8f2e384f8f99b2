import { compareDurations, type Work } from "../compare.ts";
import { drain } from "../data/drain.ts";
import { createData, withSql } from "../data/load_data.ts";
import { startDelay } from "../http/delay.ts";
import { createCallers, serve } from "../http/functions.ts";
import { runHttpLoad } from "../http/http_load.ts";
import type { Bench, Workload } from "../workload.ts";

const ROUND_TRIP_MS = 20;
/** So many that waiting for far answers leaves nobody idle: what is looked for is a lock that waits with them. */
const CONNECTIONS = 64;
const POOL = "20";
const MOST_LONGER = 1 / 0.9;

type Place = "near" | "client" | "database";

/** Pays orders of one referrer and has them settled, with one of the parties far away. */
async function paying(bench: Bench, place: Place, data: string, orders: number): Promise<{ work: Work; stop(): Promise<void> }> {
  const [url = ""] = await bench.server.copies(data, 1);
  const { admin } = await createCallers(url, 1);
  const toDatabase = place === "database" ? await startDelay(Number(new URL(url).port), ROUND_TRIP_MS) : undefined;
  const seenUrl = new URL(url);
  if (toDatabase) seenUrl.port = String(toDatabase.port);
  const adminapi = await serve("adminapi", seenUrl.href, { STORE_DB_POOL: POOL });
  const toFunction = place === "client" ? await startDelay(adminapi.port, ROUND_TRIP_MS) : undefined;
  const base = toFunction ? `http://127.0.0.1:${toFunction.port}` : adminapi.base;
  const [row] = await withSql(url, (sql) => sql<{ next: string }[]>`select last_value as next from bench.next_order`);
  let next = Number(row?.next);
  return {
    work: {
      run: async () => {
        await runHttpLoad({ base, requests: () => ({ method: "PUT", path: `/adminapi/order/${next++}/pay`, token: admin }) }, CONNECTIONS, orders);
        await drain(url);
      },
    },
    stop: async () => {
      toFunction?.close();
      await adminapi.stop();
      toDatabase?.close();
      await bench.server.dropDatabases([url]);
    },
  };
}

export const httpFarClient: Workload = {
  name: "http_far_client",
  title: `Pay and settle orders of one referrer over HTTP, ${ROUND_TRIP_MS} ms away`,
  async run(bench) {
    const orders = bench.size.requests / 2;
    const buyers = orders * (bench.size.rounds + 1) * 2;
    const data = await createData(bench.server, {
      members: buyers + 2, referrer: "case when i > 2 then 2 when i = 2 then 1 end", buyers: `(select array_agg(i::bigint) from generate_series(3, ${buyers + 2}) as i)`,
    });
    const [near, farClient, farDatabase] = [await paying(bench, "near", data, orders), await paying(bench, "client", data, orders), await paying(bench, "database", data, orders)];
    try {
      const claim = { better: "lower", aim: MOST_LONGER } as const;
      return [
        await compareDurations(bench, { name: "the client is far from the function", ...claim }, farClient.work, near.work),
        await compareDurations(bench, { name: "the function is far from the database", ...claim }, farDatabase.work, near.work),
      ].map((comparison) => ({ ...comparison, note: `${orders} orders, ${CONNECTIONS} connections` }));
    } finally {
      for (const side of [near, farClient, farDatabase]) await side.stop();
      await bench.server.dropDatabases([data]);
    }
  },
};
