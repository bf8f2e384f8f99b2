import { createData } from "../data/load_data.ts";
import { compareTargets } from "../http/compare_targets.ts";
import { type Callers, createCallers, serve } from "../http/functions.ts";
import { withConnection } from "../../postgres/database_server.ts";
import type { EdgeFunction } from "../../testing/edge_function.ts";
import type { Bench, Comparison, Workload } from "../workload.ts";
import { RANDOM_TREE } from "./settle.ts";

const CALLERS = 64;
const ORDERS = 2_000;
const READS_PER_WRITE = 9;
const LIST = "/api/order";
/** A standby without commits for ten seconds is not asked. */
const COMMIT_EVERY_MS = 1_000;

const answeredByStandby = (served: EdgeFunction) => served.log().split('"standby":true').length - 1;

/**
 * Each member changes their profile, then reads their orders with the position of that change.
 * @returns the share of reads that the standby has answered
 */
async function shareOfReads(served: EdgeFunction, { members }: Callers, { size }: Bench): Promise<Comparison> {
  const { base } = served;
  const before = answeredByStandby(served);
  const rounds = Math.ceil(size.requests / (READS_PER_WRITE + 1) / size.clients);
  const reader = async (client: number) => {
    for (let round = 0; round < rounds; round += 1) {
      const headers = {
        authorization: `Bearer ${members[(client + round * size.clients) % members.length]!.token}`,
        "content-type": "application/json",
      };
      const written = await fetch(`${base}/api/user`, {
        method: "PUT",
        headers,
        body: JSON.stringify({ nickname: `Round ${round}` }),
      });
      await written.arrayBuffer();
      const position = written.headers.get("store-position");
      if (!written.ok || position === null) throw new Error(`PUT /api/user: ${written.status}, position ${position}`);
      for (let read = 0; read < READS_PER_WRITE; read += 1)
        await (await fetch(base + LIST, { headers: { ...headers, "store-position": position } })).arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: size.clients }, (_, client) => reader(client)));
  const reads = rounds * size.clients * READS_PER_WRITE;
  const share = (answeredByStandby(served) - before) / reads;
  return {
    name: `reads answered by the standby, ${READS_PER_WRITE} after each write of the same member`,
    ours: 100 * share,
    unit: "%",
    better: "higher",
    note: `${reads} reads`,
  };
}

export const standby: Workload = {
  name: "standby",
  title: "Reads over HTTP with a streaming standby on the same machine, compared with the primary alone",
  async run(bench) {
    const url = await createData(bench.server, {
      members: bench.size.members[0] ?? 0,
      referrer: RANDOM_TREE,
      buyers: `bench.zipf_buyers(${ORDERS})`,
    });
    const callers = await createCallers(url, CALLERS);
    const comparisons = await bench.server.withStandby(url, async (readUrl) => {
      const [alone, together] = [await serve("api", url), await serve("api", url, { STORE_DB_READ_URL: readUrl })];
      const commits = setInterval(
        () => void withConnection(url, (sql) => sql`update app.settings set updated_at = clock_timestamp()`),
        COMMIT_EVERY_MS,
      );
      try {
        const requests = callers.members.map(({ token }) => ({ path: LIST, token }));
        const writes = callers.members.map(({ token }) => ({
          method: "PUT" as const,
          path: "/api/user",
          token,
          body: { nickname: "Written" },
        }));
        return [
          ...(await compareTargets(bench, { name: "lists, primary alone", base: alone.base, requests }, [
            { name: "lists, by the standby", base: together.base, requests },
          ])),
          ...(await compareTargets(bench, { name: "writes, primary alone", base: alone.base, requests: writes }, [
            { name: "writes with a position", base: together.base, requests: writes },
          ])),
          await shareOfReads(together, callers, bench),
        ];
      } finally {
        clearInterval(commits);
        await alone.stop();
        await together.stop();
      }
    });
    await bench.server.dropDatabases([url]);
    return comparisons;
  },
};
