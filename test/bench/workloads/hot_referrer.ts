import { compareLoads, SETTLED } from "../compare.ts";
import { BATCH, PAY, SETTLE, SETTLE_BATCH, WRITE_PAYMENT } from "../data/baselines.ts";
import { createData, transactionsOf } from "../data/load_data.ts";
import type { Workload } from "../workload.ts";

/** The maximum for one hot row: every client updates it and inserts a row. */
const ONE_ROW = `
with counted as (update app.user_balances set total_places = total_places + 1 where uid = 2)
insert into bench.added (number) values (nextval('bench.next_added'));`;

const ADDED = "create table bench.added (number bigint primary key); create sequence bench.next_added;";

export const hotReferrer: Workload = {
  name: "hot_referrer",
  title: "Settle orders of one referrer, compared with one row updated and one inserted per commit",
  async run(bench) {
    const { clients, rounds } = bench.size;
    // Every client settles all waiting jobs, like the background of a paying request and the scheduled worker.
    const batches = Math.max(Math.ceil(bench.size.batches / clients), 4);
    const create = (orders: number, paid: boolean) =>
      createData(bench.server, {
        // The root, the referrer, and one direct member per order.
        members: orders + 2,
        referrer: "case when i > 2 then 2 when i = 2 then 1 end",
        paid,
        prepare: ADDED,
        buyers: `(select array_agg(i::bigint) from generate_series(3, ${orders + 2}) as i)`,
      });
    const waiting = await create(clients * batches * BATCH * (rounds + 1), true);
    const unpaid = await create(transactionsOf(bench.size), false);
    const [baseline, singly, bare] = [
      await bench.server.createDatabase(unpaid),
      await bench.server.createDatabase(waiting),
      await bench.server.createDatabase(unpaid),
    ];
    const comparisons = [
      await compareLoads(
        bench,
        { name: `batches of ${BATCH}, ${clients} connections`, better: "higher", aim: 1.3, floor: 1 },
        { url: waiting, script: SETTLE_BATCH, transactions: batches, counting: SETTLED },
        { url: baseline, script: ONE_ROW },
      ),
      await compareLoads(
        bench,
        { name: "paid and settled by the same connection, beside a bare payment as well", better: "higher" },
        { url: unpaid, script: `${PAY}\n${SETTLE_BATCH}`, counting: SETTLED },
        { url: bare, script: `${WRITE_PAYMENT}\n${ONE_ROW}` },
      ),
      await compareLoads(
        bench,
        { name: "one by one", better: "higher" },
        { url: singly, script: SETTLE },
        { url: baseline, script: ONE_ROW },
      ),
    ];
    await bench.server.dropDatabases([waiting, unpaid, baseline, singly, bare]);
    return comparisons;
  },
};
