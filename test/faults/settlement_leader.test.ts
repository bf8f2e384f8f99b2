import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { call } from "../api/client.ts";
import { Store } from "../concurrency/store.ts";
import { HMAC_PAYMENTS, hmacNotification } from "../support/hmac_payments.ts";
import { type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { kill } from "../../scripts/testing/processes.ts";

const PAYERS = 16;
const GATE = 2;
const PATIENCE = { interval: 20 };

let store: Store;
/** Two instances of the edge function that takes notifications of payments. */
let one: EdgeFunction;
let other: EdgeFunction;

const serve = () => serveEdgeFunction("api", store.url, HMAC_PAYMENTS);

beforeAll(async () => {
  store = await Store.open();
  // A batch that has booked waits at a gate before its commit. The turns of instances are counted when they end:
  // nothing is due, or others settle.
  await store.sql.unsafe(`
    create function public.wait_at_gate() returns trigger language plpgsql set lock_timeout = 0 as $$
      begin perform pg_advisory_xact_lock_shared(${GATE}); return null; end $$;
    create trigger wait_at_gate after insert on app.settlements for each statement execute function public.wait_at_gate();
    create sequence public.turns;
    alter function api.lead_settlement() rename to settle_batch;
    create function api.lead_settlement() returns jsonb language plpgsql security definer as $$
      declare v_result jsonb := api.settle_batch();
      begin
        if v_result ->> 'handled' is null then perform nextval('public.turns'); end if;
        return v_result;
      end $$;
    revoke execute on function api.lead_settlement() from public;
    grant execute on function api.lead_settlement() to service_role`);
  [one, other] = await Promise.all([serve(), serve()]);
});
afterAll(async () => {
  await Promise.all([one?.stop(), other?.stop()]);
  await store?.close();
});

/** Places an order of a new member. */
const place = async (referrer: number): Promise<number> => store.order(await store.signUp(referrer));

/** The provider of the payment notifies an instance. */
async function pay(order: number, { base }: EdgeFunction): Promise<void> {
  const [row] =
    await store.sql`select order_no, (pay_price * 100)::integer as amount from app.orders where id = ${order}`;
  const init = hmacNotification(row!.order_no, row!.amount);
  expect((await call("POST", "/api/pay/notify/hmac", { base, init })).status).toBe(200);
}

const due = async () => (await store.sql`select count(*)::integer as jobs from app.settlement_jobs`)[0]!.jobs;
const untilDue = (jobs: number) => vi.waitFor(async () => expect(await due()).toBe(jobs), PATIENCE);
const turns = async () =>
  (await store.sql`select case when is_called then last_value::integer else 0 end as ended from public.turns`)[0]!
    .ended;

/** Pays at an instance, and waits until its turn has ended. */
async function payAndSettle(order: number, instance: EdgeFunction): Promise<void> {
  const before = await turns();
  await pay(order, instance);
  await vi.waitFor(async () => expect(await turns()).toBeGreaterThan(before), PATIENCE);
}

/**
 * Runs `work` while an instance leads and its batch, with all orders, is booked and not committed.
 * @param work receives the session of the leader
 */
async function whileItLeads(
  instance: EdgeFunction,
  orders: number[],
  work: (session: number) => Promise<void>,
): Promise<void> {
  const gate = store.connection();
  try {
    // The orders are paid at once, so that the first look finds them all.
    await gate`select pg_advisory_lock(${GATE})`;
    for (const order of orders.slice(1))
      await store.sql`select from app.pay_order(${order}, 'test', ${`test-${order}`}, clock_timestamp())`;
    await pay(orders[0]!, instance);
    await store.untilWaiting(1);
    const [waiting] = await store.sql`
      select pid from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted and database = (select oid from pg_database where datname = current_database())`;
    await work(waiting!.pid);
  } finally {
    await gate.end();
  }
}

/** All orders of the referrer are settled once, and every balance is equal to its bill. */
async function expectSettledOnce(referrer: number, orders: number[]): Promise<void> {
  expect([
    ...(await store.sql`select order_id::integer as id from app.settlements where order_id in ${store.sql(orders)} order by 1`),
  ]).toEqual(orders.toSorted((a, b) => a - b).map((id) => ({ id })));
  expect(await store.balances(referrer)).toMatchObject({ total_places: orders.length });
  expect(await store.findings()).toEqual([]);
}

// The tests run in order, because one kills an instance.
describe("payments at two edge functions", { concurrent: false }, () => {
  // Guarantee money/settlement-in-the-end
  it("are settled by the next payment if the session of the leader is terminated in the middle of its batch", async () => {
    const referrer = await store.reporter();
    const orders = [await place(referrer), await place(referrer), await place(referrer)];
    const [late, next] = [await place(referrer), await place(referrer)];
    await whileItLeads(one, orders, async (session) => {
      await payAndSettle(late, other);
      await store.sql`select pg_terminate_backend(${session}, 5000)`;
    });
    await vi.waitFor(() => expect(one.log()).toContain("background work failed"), PATIENCE);
    expect(await due()).toBe(4);
    await payAndSettle(next, one);
    expect(await due()).toBe(0);
    await expectSettledOnce(referrer, [...orders, late, next]);
  });

  // Guarantee money/settlement-in-the-end
  it("are settled by the scheduled job if the process of the leader to whom they were left is killed", async () => {
    const referrer = await store.reporter();
    const orders = [await place(referrer), await place(referrer), await place(referrer)];
    const late = await place(referrer);
    await whileItLeads(one, orders, async () => {
      await payAndSettle(late, other);
      kill(one.pid);
    });
    // The server ends and commits the batch, although nobody waits for it any more.
    await untilDue(1);
    await store.sql`call app.drain_settlement_jobs()`;
    expect(await due()).toBe(0);
    await expectSettledOnce(referrer, [...orders, late]);
    one = await serve();
  });

  // Guarantee money/settlement-in-the-end
  it("are settled by nobody but the scheduled job if there are no slots", async () => {
    await store.sql`update app.settings set settlement_slots = 0`;
    const referrer = await store.reporter();
    const orders = [await place(referrer), await place(referrer)];
    await payAndSettle(orders[0]!, one);
    await payAndSettle(orders[1]!, other);
    expect(await due()).toBe(2);
    await store.sql`call app.drain_settlement_jobs()`;
    await expectSettledOnce(referrer, orders);
    await store.sql`update app.settings set settlement_slots = 1`;
  });

  // Guarantee money/settlement-leader
  it("by sixteen payers and a scheduled job at the same time are all settled, once, and without another payment or job, and so is the next one at each", async () => {
    const referrer = await store.reporter();
    const orders: number[] = [];
    for (let payer = 0; payer < PAYERS; payer += 1) orders.push(await place(referrer));
    const deadlocks = await store.deadlocks();
    await Promise.all([
      ...orders.map((order, payer) => pay(order, payer % 2 === 0 ? one : other)),
      store.sql`call app.drain_settlement_jobs()`,
    ]);
    await untilDue(0);
    for (const instance of [one, other]) {
      const next = await place(referrer);
      orders.push(next);
      await payAndSettle(next, instance);
      expect(await due()).toBe(0);
    }
    await expectSettledOnce(referrer, orders);
    expect(await store.deadlocks()).toBe(deadlocks);
  });
});
