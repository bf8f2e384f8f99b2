import { compareLoads, SETTLED } from "../compare.ts";
import { BATCH, SETTLE, SETTLE_BATCH } from "../data/baselines.ts";
import { createData, type Data } from "../data/load_data.ts";
import type { Workload } from "../workload.ts";

/** The maximum for one hot row: every client updates it and inserts a row. */
const ONE_ROW = `
with counted as (update app.user_balances set total_places = total_places + 1 where uid = 2)
insert into bench.added (number) values (nextval('bench.next_added'));`;

const ADDED = "create table bench.added (number bigint primary key); create sequence bench.next_added;";

/** The root, the referrer, and one direct member per order. */
export const belowOneReferrer = (orders: number): Data => ({
  members: orders + 2,
  referrer: "case when i > 2 then 2 when i = 2 then 1 end",
  buyers: `(select array_agg(i::bigint) from generate_series(3, ${orders + 2}) as i)`,
});

export const hotReferrer: Workload = {
  name: "hot_referrer",
  title: "Settle orders of one referrer, compared with one row updated and one inserted per commit",
  async run(bench) {
    const { clients, rounds } = bench.size;
    const batches = Math.max(Math.ceil(bench.size.batches / clients), 4);
    const waiting = await createData(bench.server, {
      ...belowOneReferrer(clients * batches * BATCH * (rounds + 1)),
      paid: true,
      prepare: ADDED,
    });
    const [baseline, singly] = (await bench.server.copies(waiting, 2)) as [string, string];
    const comparisons = [
      await compareLoads(
        bench,
        { name: `batches of ${BATCH}, ${clients} connections`, better: "higher", aim: 1.3, floor: 1 },
        { url: waiting, script: SETTLE_BATCH, transactions: batches, counting: SETTLED },
        { url: baseline, script: ONE_ROW },
      ),
      await compareLoads(
        bench,
        { name: "one by one", better: "higher" },
        { url: singly, script: SETTLE },
        { url: baseline, script: ONE_ROW },
      ),
    ];
    await bench.server.dropDatabases([waiting, baseline, singly]);
    return comparisons;
  },
};
