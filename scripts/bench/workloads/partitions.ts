import { setTimeout as pause } from "node:timers/promises";
import type postgres from "postgres";
import { connectTo } from "../bench_server.ts";
import { withSql } from "../data/load_data.ts";
import { night } from "../data/night.ts";
import { createHistory } from "../data/store_below_root.ts";
import { median } from "../statistics.ts";
import type { Comparison, Workload } from "../workload.ts";

const MOST_MEMBERS = 5_000;
/** January and February 2020, which are closed, and two days of March. */
const DAYS = 62;
const OPEN_DAYS = 1;
const WRITERS = 4;
const ITEMS = [{ product_id: 1, quantity: 1 }];

/** What is done to a month while orders are placed, paid and settled. */
const WORK: { name: string; run(sql: postgres.Sql, round: number): Promise<unknown> }[] = [
  {
    name: "create the partitions of a month",
    run: (sql, round) =>
      sql`call app.ensure_month_partitions(make_date(2040, ${round}, 1), make_date(2040, ${round}, 1))`,
  },
];

interface Beside {
  /** Milliseconds that the work took. */
  duration: number;
  /** Milliseconds that the slowest order took: placed, paid and settled in three transactions. */
  slowest: number;
}

/** Runs `work` while some sessions order without a pause. An error of any of them ends the workload. */
async function besideOrders(url: string, members: number, work: () => Promise<unknown>): Promise<Beside> {
  let isOver = false;
  let slowest = 0;
  const writing = Promise.all(
    Array.from({ length: WRITERS }, () =>
      withSql(url, async (sql) => {
        while (!isOver) {
          const started = performance.now();
          const [order] = await sql<
            { id: number }[]
          >`select (app.create_order(1 + floor(random() * ${members})::integer, ${sql.json(ITEMS)}, null, bench.address())).id`;
          await sql`select (app.pay_order(${order!.id}, 'bench', ${`beside-${order!.id}`}, null)).id`;
          await sql`select app.settle_order(${order!.id}, clock_timestamp())`;
          slowest = Math.max(slowest, performance.now() - started);
        }
      }),
    ),
  );
  const working = (async () => {
    // The first orders of a session compile functions and create plans.
    await pause(1_000);
    slowest = 0;
    const started = performance.now();
    await work();
    return performance.now() - started;
  })().finally(() => {
    isOver = true;
  });
  const [duration] = await Promise.all([working, writing]);
  return { duration, slowest };
}

export const partitions: Workload = {
  name: "partitions",
  title: "Create months while orders are placed, paid and settled, compared with the same orders alone",
  async run(bench) {
    bench.show("writing a history");
    const members = MOST_MEMBERS * bench.size.share;
    const url = await createHistory(bench.server, members, DAYS, OPEN_DAYS);
    const sql = connectTo(url);
    await night(sql);
    const measured = WORK.map(() => ({ beside: [] as Beside[], alone: [] as Beside[] }));
    for (let round = 1; round <= Math.min(bench.size.rounds, 12); round += 1) {
      for (const [index, { name, run }] of WORK.entries()) {
        bench.show(`${name}, round ${round} of ${bench.size.rounds}`);
        const beside = await besideOrders(url, members, () => run(sql, round));
        measured[index]!.beside.push(beside);
        measured[index]!.alone.push(await besideOrders(url, members, () => pause(beside.duration)));
      }
    }
    // Nothing was lost meanwhile.
    await night(sql);
    await sql.end();
    await bench.server.dropDatabases([url]);
    const slowest = (all: Beside[]) => Math.max(...all.map((one) => one.slowest));
    return WORK.flatMap(({ name }, index): Comparison[] => {
      const { beside, alone } = measured[index]!;
      return [
        { name, ours: median(beside.map(({ duration }) => duration)), unit: "ms", better: "lower" },
        {
          name: "… slowest order meanwhile",
          ours: slowest(beside),
          baseline: slowest(alone),
          ratio: slowest(beside) / slowest(alone),
          unit: "ms",
          better: "lower",
        },
      ];
    });
  },
};
