import type { BenchServer } from "../bench_server.ts";
import { compareDurations, compareLoads, type Work } from "../compare.ts";
import { SETTLE } from "../data/baselines.ts";
import { drain } from "../data/drain.ts";
import { createData, nextOrder, transactionsOf } from "../data/load_data.ts";
import { startDelay } from "../http/delay.ts";
import { createCallers, serve } from "../http/functions.ts";
import { runHttpLoad } from "../http/http_load.ts";
import { belowOneReferrer } from "./hot_referrer.ts";
import type { Bench, Comparison, Workload } from "../workload.ts";

const ROUND_TRIP_MS = 20;
// Enough clients to keep the server busy despite the latency, because the workload looks for locks that are held during
// round trips.
const CLIENTS = 256;
// So many that no one's requests exceed a caller's share of the places to wait
// (functions/_shared/database/connections.ts).
const ADMINISTRATORS = 16;
const SESSIONS = 64;
const COST = 0.9;

/** Pays orders through adminapi, and waits until it has settled them all. */
async function paying(
  server: BenchServer,
  data: string,
  orders: number,
  isFar: boolean,
): Promise<{ work: Work; stop(): Promise<void> }> {
  const [url = ""] = await server.copies(data, 1);
  const { admins } = await createCallers(url, 1, ADMINISTRATORS);
  const adminapi = await serve("adminapi", url);
  const delay = isFar ? await startDelay(adminapi.port, ROUND_TRIP_MS) : undefined;
  const base = delay ? `http://127.0.0.1:${delay.port}` : adminapi.base;
  let next = await nextOrder(url);
  return {
    work: {
      run: async () => {
        await runHttpLoad(
          {
            base,
            requests: () => ({
              method: "PUT",
              path: `/adminapi/order/${next}/pay`,
              token: admins[next++ % ADMINISTRATORS]!,
            }),
          },
          CLIENTS,
          orders,
        );
        await drain(url);
      },
    },
    stop: async () => {
      delay?.close();
      await adminapi.stop();
      await server.dropDatabases([url]);
    },
  };
}

async function compareClients(bench: Bench): Promise<Comparison> {
  const orders = Math.max(Math.ceil(bench.size.requests / 4), 2 * CLIENTS);
  const data = await createData(bench.server, belowOneReferrer(orders * (bench.size.rounds + 1)));
  const [far, near] = [await paying(bench.server, data, orders, true), await paying(bench.server, data, orders, false)];
  try {
    return {
      ...(await compareDurations(
        bench,
        { name: "clients far from the function", better: "lower", aim: 1 / COST },
        far.work,
        near.work,
      )),
      note: `${orders} orders paid by ${CLIENTS} connections`,
    };
  } finally {
    await far.stop();
    await near.stop();
    await bench.server.dropDatabases([data]);
  }
}

async function compareSessions(bench: Bench): Promise<Comparison> {
  const size = { ...bench.size, clients: SESSIONS, transactions: Math.ceil(bench.size.requests / SESSIONS / 2) };
  const data = await createData(bench.server, { ...belowOneReferrer(transactionsOf(size)), paid: true });
  const [far, near] = (await bench.server.copies(data, 2)) as [string, string];
  const delay = await startDelay(Number(new URL(near).port), ROUND_TRIP_MS);
  const delayed = new URL(far);
  delayed.port = String(delay.port);
  try {
    return await compareLoads(
      { ...bench, size },
      { name: "functions far from the database", better: "higher", aim: COST },
      { url: delayed.href, script: SETTLE },
      { url: near, script: SETTLE },
    );
  } finally {
    delay.close();
    await bench.server.dropDatabases([data, far, near]);
  }
}

export const httpFarClient: Workload = {
  name: "http_far_client",
  title: `Settle orders of one referrer, ${ROUND_TRIP_MS} ms away`,
  run: async (bench) => [await compareClients(bench), await compareSessions(bench)],
};
