import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type postgres from "postgres";
import { createSettlement } from "../../functions/_shared/routes/settlement.ts";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

/** The background work of the instances of a test, which lives longer than their requests. */
let background: Promise<unknown>[];
beforeEach(() => {
  background = [];
  vi.stubGlobal("EdgeRuntime", { waitUntil: (work: Promise<unknown>) => void background.push(work) });
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await store.sql`update app.settings set settlement_slots = 1`;
});

/** One batch, as an instance of an edge function settles it. */
const settleBatch = async (sql: postgres.Sql): Promise<number | null> =>
  (await sql`select api.lead_settlement() as result`)[0]!.result.handled;

/** The number of due jobs that nobody has tried. */
const due = async () =>
  (
    await store.sql`
      select count(*)::int as jobs from app.settlement_jobs where state = 'waiting' and run_after <= clock_timestamp() and last_error is null`
  )[0]!.jobs;

/** What a referrer got for so many orders of 3600.00: one cycle of three pays as much. */
const earned = (orders: number) => `${[0, 720, 1800][orders % 3]! + Math.floor(orders / 3) * 3600}.00`;

/** Orders of new members below a new referrer. */
async function orders(
  count: number,
  place: (buyer: number) => Promise<number>,
): Promise<{ referrer: number; ids: number[] }> {
  const referrer = await store.reporter();
  const ids: number[] = [];
  for (let index = 0; index < count; index++) ids.push(await place(await store.signUp(referrer)));
  return { referrer, ids };
}

/**
 * A leader in the middle of its batch: it waits for the row of a member.
 * @returns what lets it go on and waits for its result
 */
async function leaderInItsBatch(uid: number): Promise<{ finish(): Promise<number | null> }> {
  const [holder, leader] = [store.connection(), store.connection()];
  await holder`begin`;
  await holder`select from app.user_balances where uid = ${uid} for update`;
  const settling = leader`select app.lead_settlement(1) as handled`.execute();
  await store.untilWaiting(1);
  return {
    finish: async () => {
      await holder`rollback`;
      const [row] = await settling;
      await Promise.all([holder.end(), leader.end()]);
      return row!.handled as number | null;
    },
  };
}

describe("a payer that finds the only slot taken", () => {
  // Guarantee money/settlement-leader: A paid order that its payer leaves to a leader is settled by the leader
  // By: the holder of a slot looks again, app.lead_settlement and functions/_shared/routes/settlement.ts
  it("leaves its order at once to the leader, who settles it when it looks again", async () => {
    const { referrer } = await orders(1, (buyer) => store.buy(buyer));
    const leader = await leaderInItsBatch(referrer);
    const late = await store.buy(await store.signUp(referrer));
    expect(await settleBatch(store.sql)).toBeNull();
    expect(await leader.finish()).toBe(1);
    expect(await due()).toBe(1);
    expect([await settleBatch(store.sql), await settleBatch(store.sql)]).toEqual([1, null]);
    expect(await store.sql`select from app.settlements where order_id = ${late}`).toHaveLength(1);
  });

  it("takes another slot if the store has two", async () => {
    const [one, other] = [await orders(1, (buyer) => store.buy(buyer)), await store.reporter()];
    const leader = await leaderInItsBatch(one.referrer);
    await store.buy(await store.signUp(other));
    await store.sql`update app.settings set settlement_slots = 2`;
    expect(await settleBatch(store.sql)).toBe(1);
    expect(await store.balances(other)).toMatchObject({ brokerage_price: "720.00" });
    expect(await leader.finish()).toBe(1);
    expect(await due()).toBe(0);
  });
});

describe("a leader that finds all due orders locked by others", () => {
  it("looks again, because others may have left it their orders, until it has settled them", async () => {
    const holder = store.connection();
    const { referrer, ids } = await orders(1, (buyer) => store.buy(buyer));
    await holder`begin`;
    await holder`select from app.orders where id = ${ids[0]!} for update`;
    expect(await settleBatch(store.sql)).toBe(0);
    createSettlement(() => settleBatch(store.sql))();
    await holder`rollback`;
    await holder.end();
    await Promise.all(background);
    expect(await due()).toBe(0);
    expect(await store.balances(referrer)).toMatchObject({ brokerage_price: "720.00" });
  });
});

describe("the scheduled job", () => {
  it("waits for the leader and comes before payers, so that it does not end before all orders are settled", async () => {
    const { referrer } = await orders(1, (buyer) => store.buy(buyer));
    const leader = await leaderInItsBatch(referrer);
    const late = await store.buy(await store.signUp());
    const waiting = store.connection();
    const sweep = waiting`select app.lead_settlement() as handled`.execute();
    await store.untilWaiting(2);
    expect(await settleBatch(store.sql)).toBeNull();
    expect(await leader.finish()).toBe(1);
    expect((await sweep)[0]!.handled).toBe(1);
    await waiting.end();
    expect(await store.sql`select from app.settlements where order_id = ${late}`).toHaveLength(1);
    expect(await due()).toBe(0);
  });
});

describe.each([1, 2, 0])("sixteen payers and the scheduled job at once, with %i slots", (slots) => {
  // Guarantee money/settlement-leader
  it("lose nothing, settle nothing twice and leave nobody behind", async () => {
    await store.sql`update app.settings set settlement_slots = ${slots}`;
    const each = 5;
    const { referrer, ids } = await orders(16 * each, (buyer) => store.order(buyer));
    const deadlocks = await store.deadlocks();
    const payer = (index: number) => async (sql: postgres.Sql) => {
      const settle = createSettlement(() => settleBatch(sql));
      for (const id of ids.slice(index * each, (index + 1) * each)) {
        await sql`select from app.pay_order(${id}, 'test', ${`test-${id}`}, clock_timestamp())`;
        settle();
      }
      await Promise.all(background);
    };
    const results = await store.together([
      ...Array.from({ length: 16 }, (_, index) => payer(index)),
      (sql) => sql`call app.drain_settlement_jobs()`.then(() => undefined),
    ]);
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    if (slots > 0) expect(await due()).toBe(0);
    // Two leaders may have waited for each other for too long. Their orders are due again after ten seconds.
    await store.sql`update app.settlement_jobs set run_after = clock_timestamp() where last_error like '55P03: %'`;
    await store.sql`call app.drain_settlement_jobs()`;
    expect(
      await store.sql`select count(*)::int as settled from app.settlements where order_id in ${store.sql(ids)}`,
    ).toEqual([{ settled: ids.length }]);
    expect(await store.balances(referrer)).toMatchObject({
      brokerage_price: earned(ids.length),
      total_places: ids.length,
    });
    expect(await store.sql`select order_id, last_error from app.settlement_jobs`).toHaveLength(0);
    const outOfSequence = await store.sql`
      select s.order_id from (
        select s.order_id, (s.cycle_no, s.place) < lag((s.cycle_no, s.place)) over (partition by s.batch order by o.paid_at, o.id) as is_earlier
        from app.settlements as s join app.orders as o on o.id = s.order_id where s.earner_uid = ${referrer}
      ) as s where s.is_earlier`;
    expect([...outOfSequence]).toEqual([]);
    expect(await store.deadlocks()).toBe(deadlocks);
    expect(await store.findings()).toEqual([]);
  });
});
