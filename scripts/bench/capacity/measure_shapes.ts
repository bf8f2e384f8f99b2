import type { MeasuredOrder, MeasuredRow } from "../../scale/capacity/measured.ts";
import { connectTo } from "../bench_server.ts";
import { BATCH } from "../data/baselines.ts";
import { drain, releaseJobs } from "../data/drain.ts";
import { createData, type Data } from "../data/load_data.ts";
import { costOf } from "../session_cost.ts";
import { median } from "../statistics.ts";
import type { Bench } from "../workload.ts";
import type { Reference } from "./reference.ts";

const DEPTHS = [1, 10, 100, 1_000];
const FAN_OUTS = [10, 100, 1_000, 10_000, 100_000];
const WARM_UP = 20;
const ORDERS = 20;
const REFERRERS = 1_000;
const WORKERS = 4;
/** Orders that one session settles in batches, and as many that four sessions settle. */
const HOT_BATCHES = 20;

/** The cost of settling an order alone, in the median of the rounds. */
async function settleSingly(
  { server, size }: Bench,
  reference: Reference,
  data: Omit<Data, "buyers" | "paid">,
  at: number,
  buyer: string,
): Promise<MeasuredOrder> {
  const count = WARM_UP + ORDERS * size.rounds;
  const url = await createData(server, {
    ...data,
    paid: true,
    buyers: `array(select ${buyer} from generate_series(1, ${count}) as n)`,
  });
  const sql = connectTo(url);
  const settle = async (orders: number) => {
    for (let made = 0; made < orders; made += 1)
      await sql`select app.settle_order(nextval('bench.next_order'), clock_timestamp())`;
  };
  try {
    await settle(WARM_UP);
    await server.settle();
    const [costs, references]: [number[], number[]] = [[], []];
    for (let round = 0; round < size.rounds; round += 1) {
      references.push(await reference.measure());
      costs.push((await costOf(server, url, sql, () => settle(ORDERS))).cpu / ORDERS);
    }
    return { size: at, cpu: median(costs), reference: median(references) };
  } finally {
    await sql.end();
    await server.dropDatabases([url]);
  }
}

/** The cost of an order by the number of members above its buyer. */
export async function measureDepths(bench: Bench, reference: Reference, largest: number): Promise<MeasuredOrder[]> {
  const points: MeasuredOrder[] = [];
  for (const depth of DEPTHS.filter((each) => each <= largest)) {
    bench.show(`${depth} ancestors`);
    points.push(
      await settleSingly(
        bench,
        reference,
        { members: depth + 1, referrer: "nullif(i - 1, 0)" },
        depth,
        `${depth + 1}::bigint`,
      ),
    );
  }
  return points;
}

/** The cost of an order by the number of direct members of its referrer. */
export async function measureFanOuts(bench: Bench, reference: Reference, largest: number): Promise<MeasuredOrder[]> {
  const points: MeasuredOrder[] = [];
  for (const directs of FAN_OUTS.filter((each) => each <= largest)) {
    bench.show(`${directs} direct members`);
    points.push(
      await settleSingly(
        bench,
        reference,
        { members: directs + 2, referrer: "case when i > 2 then 2 when i = 2 then 1 end" },
        directs,
        `3 + floor(random() * ${directs})::bigint`,
      ),
    );
  }
  return points;
}

/**
 * The stores in which every order writes the same row. The root is below the top grade, so that each order counts for
 * it and pays it.
 */
const HOT: { name: string; data: Omit<Data, "buyers" | "paid"> }[] = [
  { name: "one referrer", data: { members: 2 + REFERRERS, referrer: "case when i > 2 then 2 when i = 2 then 1 end" } },
  {
    name: "one root that every order pays",
    data: {
      members: 1 + 2 * REFERRERS,
      referrer: `case when i > ${REFERRERS + 1} then 2 + i % ${REFERRERS} when i > 1 then 1 end`,
      prepare: "update app.users set agent_level = 3 where uid = 1",
    },
  },
];

/** Orders that all write one row: the processor time of one session, and the speed of four. */
export async function measureRows({ server, size, show }: Bench, reference: Reference): Promise<MeasuredRow[]> {
  const rows: MeasuredRow[] = [];
  const orders = HOT_BATCHES * BATCH * size.share;
  for (const { name, data } of HOT) {
    show(name);
    const first = data.members - REFERRERS;
    const count = 2 * orders * size.rounds + orders;
    const url = await createData(server, {
      ...data,
      paid: true,
      buyers: `array(select ${first + 1} + n % ${REFERRERS} from generate_series(1::bigint, ${count}) as n)`,
    });
    const sql = connectTo(url);
    const [costs, speeds, references]: [number[], number[], number[]] = [[], [], []];
    const settle = async () => {
      while ((await sql<{ done: number }[]>`select app.run_settlement_jobs(${BATCH}) as done`)[0]!.done > 0);
    };
    try {
      await releaseJobs(url, orders);
      await settle();
      await server.analyze([url]);
      for (let round = 0; round < size.rounds; round += 1) {
        references.push(await reference.measure());
        await releaseJobs(url, orders);
        costs.push((await costOf(server, url, sql, settle)).cpu / orders);
        await releaseJobs(url, orders);
        const started = performance.now();
        await drain(url, WORKERS);
        speeds.push((1000 * orders) / (performance.now() - started));
      }
      rows.push({ name, cpu: median(costs), speed: median(speeds), reference: median(references) });
    } finally {
      await sql.end();
      await server.dropDatabases([url]);
    }
  }
  return rows;
}
