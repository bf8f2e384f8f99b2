import type postgres from "postgres";
import type { MeasuredPeople, MeasuredWait } from "../../scale/capacity/measured.ts";
import { connectTo } from "../bench_server.ts";
import { withSql } from "../data/load_data.ts";
import { percentile } from "../statistics.ts";

const CLIENTS = 4;
/** Milliseconds between two orders of one client, and between two looks at the locks. */
const [PAUSE, LOOK] = [100, 20];
const ITEMS = [{ product_id: 1, quantity: 1 }];
/** The sessions of the clients, by which the locks that they wait for are found. */
const NAME = "people";

const STEPS = ["place", "pay", "settle", "page"] as const;
type Step = (typeof STEPS)[number];

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What a member does, one call each: an order, its payment, its settlement, a look at the own page. */
async function buy(sql: postgres.Sql, buyer: string, note: (step: Step, milliseconds: number) => void): Promise<void> {
  const timed = async <T>(step: Step, call: () => Promise<T>): Promise<T> => {
    const started = performance.now();
    const result = await call();
    note(step, performance.now() - started);
    return result;
  };
  const id = await timed("place", async () => {
    const [order] = await sql<
      { id: string }[]
    >`select (app.create_order(${buyer}, ${sql.json(ITEMS)}, null, bench.address())).id`;
    return order!.id;
  });
  await timed("pay", () => sql`select (app.pay_order(${id}, 'bench', ${`paid-${id}`}, null)).id`);
  await timed("settle", () => sql`select app.settle_order(${id}, clock_timestamp())`);
  await timed("page", () => sql`select app.member_json(${buyer}, null, clock_timestamp())`);
}

/**
 * Looks at the locks that the clients wait for until they have stopped.
 * @returns the share of their calls that waited, and the longest wait
 */
async function watchLocks(
  url: string,
  isOver: () => boolean,
): Promise<Pick<MeasuredPeople, "waiting" | "longest_wait">> {
  return withSql(url, async (sql) => {
    let [looks, waits, longest] = [0, 0, 0];
    while (!isOver()) {
      const [row] = await sql<{ active: number; waiting: number; longest: number }[]>`
        select
          count(*) filter (where a.state = 'active')::integer as active,
          count(*) filter (where a.wait_event_type = 'Lock')::integer as waiting,
          coalesce(max(extract(epoch from clock_timestamp() - l.since)) * 1000, 0)::double precision as longest
        from pg_stat_activity as a
        left join lateral (select min(w.waitstart) as since from pg_locks as w where w.pid = a.pid and not w.granted) as l on true
        where a.application_name = ${NAME}`;
      looks += row!.active;
      waits += row!.waiting;
      longest = Math.max(longest, row!.longest);
      await pause(LOOK);
    }
    return { waiting: looks > 0 ? waits / looks : 0, longest_wait: longest };
  });
}

/** Orders of some buyers in turn, by several clients at the same time, from the begin to the end of `work`. */
export async function besidePeople(
  url: string,
  buyers: string[],
  work: () => Promise<unknown>,
): Promise<MeasuredPeople> {
  const times = Object.fromEntries(STEPS.map((step) => [step, [] as number[]])) as Record<Step, number[]>;
  const sessions = Array.from({ length: CLIENTS }, () => connectTo(url));
  let bought = 0;
  let isOver = false;
  const nextBuyer = () => {
    bought += 1;
    return buyers[bought % buyers.length]!;
  };
  const client = async (sql: postgres.Sql) => {
    do {
      await buy(sql, nextBuyer(), (step, milliseconds) => times[step].push(milliseconds));
      await pause(PAUSE);
    } while (!isOver);
  };
  try {
    for (const sql of sessions) {
      await sql`select set_config('application_name', ${NAME}, false)`;
      // The first order of a session compiles functions and creates plans, which a pool of connections does once.
      await buy(sql, nextBuyer(), () => undefined);
    }
    const running = Promise.all([watchLocks(url, () => isOver), ...sessions.map(client)]);
    // If the work fails, its error is the one to tell.
    running.catch(() => undefined);
    try {
      await work();
    } finally {
      isOver = true;
    }
    const [locks] = await running;
    const wait = (step: Step): MeasuredWait => ({ p50: percentile(times[step], 50), p99: percentile(times[step], 99) });
    return {
      orders: times.place.length,
      place: wait("place"),
      pay: wait("pay"),
      settle: wait("settle"),
      page: wait("page"),
      ...locks,
    };
  } finally {
    for (const sql of sessions) await sql.end();
  }
}
