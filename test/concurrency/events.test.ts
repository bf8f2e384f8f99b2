import type postgres from "postgres";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

/** Reads on from a cursor: the orders whose payment was told. */
async function read(cursor: string | null): Promise<{ orders: number[]; cursor: string | null }> {
  const [row] = await store.sql`
    select array_agg(e.subject_id order by e.era, e.xid, e.id) as orders, (array_agg(app.event_cursor(e) order by e.era desc, e.xid desc, e.id desc))[1] as cursor
    from app.event_position(${cursor}) as p cross join lateral app.events_after(p.era, p.xid, p.id, 1000) as e where e.type = 'order.paid'`;
  return { orders: (row!.orders ?? []).map(Number), cursor: row!.cursor ?? cursor };
}

/** Open transactions of other tests, which share the server, hold reading up, too. */
const patience = { interval: 200 };

const pay = (sql: postgres.Sql, id: number) =>
  sql`select from app.pay_order(${id}, 'test', ${`test-${id}`}, clock_timestamp())`;

// Guarantee operation/events-read: A reader of events misses none and reads none twice, whatever commits in which order
// By: reading stops at the oldest open transaction, app.events_after
it("a commit that is held open holds readers up, so that its event, with the lower id, is not missed", async () => {
  const uid = await store.signUp();
  const [before, held, later] = [await store.buy(uid), await store.order(uid), await store.order(uid)];
  const { cursor } = await vi.waitFor(async () => {
    const found = await read(null);
    expect(found.orders).toEqual([before]);
    return found;
  }, patience);

  const connection = store.connection();
  await connection.begin(async (transaction) => {
    await pay(transaction as never, held);
    await pay(store.sql, later);
    const visible =
      await store.sql`select subject_id::integer as order from app.events where type = 'order.paid' order by id`;
    expect(visible.map(({ order }) => order)).toEqual([before, later]);
    expect(await read(cursor)).toEqual({ orders: [], cursor });
  });
  await connection.end();
  await vi.waitFor(async () => expect((await read(cursor)).orders).toEqual([held, later]), patience);
});

// Guarantee operation/events-read
it("a reader beside many writers reads each event once", async () => {
  const buyers = await Promise.all(Array.from({ length: 8 }, () => store.signUp()));
  const bought: number[] = [];
  let isWriting = true;
  const writing = Promise.all(
    buyers.map(async (uid) => {
      for (let n = 0; n < 30; n += 1) bought.push(await store.buy(uid));
    }),
  ).finally(() => {
    isWriting = false;
  });
  const seen: number[] = [];
  let cursor: string | null = null;
  const readOn = async () => {
    const found = await read(cursor);
    cursor = found.cursor;
    seen.push(...found.orders);
  };
  while (isWriting) await readOn();
  await writing;
  await vi.waitFor(async () => {
    await readOn();
    expect(bought.filter((order) => !seen.includes(order))).toEqual([]);
  }, patience);
  expect(new Set(seen).size).toBe(seen.length);
});

it("jobs at the same time tell what time has caused once, and none fails", async () => {
  const seller = await store.reporter();
  const buyer = await store.signUp(seller);
  for (let n = 0; n < 5; n += 1) {
    const order = await store.buy(buyer);
    await store.settle(order);
    await store.sql`select from app.confirm_receipt(${order}, clock_timestamp())`;
    await store.order(buyer, 1, new Date());
  }
  await store.sql`update app.settings set offline_payment = false`;
  const jobs = await store.together(
    Array.from({ length: 4 }, () => async (sql: postgres.Sql) => {
      await sql`select app.announce_maturities(now() + interval '8 days', 1000)`;
      await sql`select app.announce_expiries(now() + interval '25 minutes', 1000)`;
    }),
  );
  expect(jobs.map(({ status }) => status)).toEqual(Array(4).fill("fulfilled"));
  const [row] = await store.sql`
    select count(*) filter (where type = 'commission.matured')::integer as matured, count(*) filter (where type = 'order.expiring')::integer as expiring
    from app.events where uid in (${seller}, ${buyer})`;
  expect(row).toEqual({ matured: 5, expiring: 5 });
});
