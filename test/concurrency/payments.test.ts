import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

type Sql = Store["sql"];
const outcomes = (results: PromiseSettledResult<unknown>[]) =>
  results
    .map((result) => (result.status === "fulfilled" ? String(result.value) : String((result.reason as Error).message)))
    .sort();

async function newOrder(): Promise<{ id: number; order_no: string }> {
  const id = await store.order(await store.signUp());
  const [row] = await store.sql`select order_no from app.orders where id = ${id}`;
  return { id, order_no: row?.order_no };
}

/** Records a notification of the whole price, like the edge function. */
const notify = (order_no: string, payRef: string) => async (sql: Sql) => {
  const [row] =
    await sql`select api.record_payment_notification('test', ${`event of ${payRef}`}, 'payment', null, ${order_no}, ${payRef}, 360000, 'CNY') ->> 'outcome' as outcome`;
  return row?.outcome as string;
};

describe("concurrent payment notifications", () => {
  // Guarantee money/order-paid-once: An order is paid once, however many payments and notifications arrive
  // By: a unique payment reference and the lock of the order, app.pay_locked_order
  it("pay an order once, whichever payment is first", async () => {
    const { id, order_no } = await newOrder();
    const results = await store.together(
      Array.from({ length: 8 }, (_, index) => notify(order_no, `ref-${id}-${index % 4}`)),
    );
    expect(outcomes(results)).toEqual([...Array<string>(6).fill("attention"), "paid", "repeated"]);
    const [jobs] = await store.sql`select count(*)::int as n from app.settlement_jobs where order_id = ${id}`;
    const [rows] = await store.sql`select count(*)::int as n from app.payment_notifications where order_id = ${id}`;
    expect([jobs?.n, rows?.n]).toEqual([1, 8]);
  });

  it("pay only one of two orders with the same payment", async () => {
    const [one, two] = [await newOrder(), await newOrder()];
    const results = await store.together([
      notify(one.order_no, `shared-${one.id}`),
      notify(two.order_no, `shared-${one.id}`),
    ]);
    expect(outcomes(results)).toEqual(["attention", "paid"]);
  });

  it("and a cancellation leave the order paid or cancelled, and the money recorded for attention if it is cancelled", async () => {
    for (let round = 0; round < 5; round++) {
      const { id, order_no } = await newOrder();
      const cancel = async (sql: Sql) => {
        const [row] = await sql`select state from app.cancel_order(${id}, clock_timestamp())`;
        return row?.state as string;
      };
      const results = await store.together([notify(order_no, `late-${id}`), cancel]);
      const [order] = await store.sql`select state from app.orders where id = ${id}`;
      expect(outcomes(results)).toEqual(
        order?.state === "paid" ? ["order_state_conflict", "paid"] : ["attention", "cancelled"],
      );
    }
  });
});

describe("notifications that cannot be verified", () => {
  it("are not recorded while another one is being recorded, and never wait for it", async () => {
    const holder = store.connection();
    const record = async (sql: Sql) =>
      (await sql`select app.record_unverified('unverified', 'bad_signature', clock_timestamp()) as kept`)[0]
        ?.kept as boolean;
    await holder`begin`;
    expect(await record(holder)).toBe(true);
    expect(await record(store.sql)).toBe(false);
    await holder`commit`;
    await holder.end();
    expect(await store.sql`select from app.payment_notifications where provider = 'unverified'`).toHaveLength(1);
    expect(await record(store.sql)).toBe(true);
  });
});

/** Opens an attempt, as the edge function does. */
async function newAttempt(): Promise<{ id: number; attemptNo: string }> {
  const { id } = await newOrder();
  const [row] =
    await store.sql`select (r.attempt).attempt_no from app.open_attempt(${id}, 'test', 'local', null, clock_timestamp()) as r`;
  return { id, attemptNo: row?.attempt_no };
}

const stateOf = async (id: number) => {
  const [row] =
    await store.sql`select o.state || ' by ' || string_agg(a.state, ', ' order by a.id) as state from app.orders as o join app.payment_attempts as a on a.order_id = o.id where o.id = ${id} group by o.id`;
  return row?.state as string;
};

describe("concurrent starts of a payment", () => {
  it("open one attempt", async () => {
    const { id } = await newOrder();
    const open = async (sql: Sql) =>
      (
        await sql`select (r.attempt).attempt_no as no from app.open_attempt(${id}, 'test', 'local', null, clock_timestamp()) as r`
      )[0]?.no as string;
    const results = await store.together(Array.from({ length: 6 }, () => open));
    expect(new Set(outcomes(results)).size).toBe(1);
    expect(await stateOf(id)).toBe("unpaid by open");
  });
});

describe("a payment that races", () => {
  it("with the record that its attempt is closed pays the order or asks for attention", async () => {
    for (let round = 0; round < 6; round++) {
      const { id, attemptNo } = await newAttempt();
      const close = async (sql: Sql) =>
        String(
          (
            await sql`select (r.attempt).state from app.record_attempt_state(${attemptNo}, 'closed', null, null, null, true, clock_timestamp()) as r`
          )[0]?.state,
        );
      const results = await store.together([notify(attemptNo, `race-${id}`), close]);
      const paid = (await stateOf(id)) === "paid by paid";
      expect(outcomes(results)).toEqual(paid ? ["paid", "paid"] : ["attention", "closed"]);
      expect(await stateOf(id)).toBe(paid ? "paid by paid" : "unpaid by paid");
    }
    expect(await store.findings()).toEqual([]);
  });

  it("with the expiry of its order pays it or asks for attention, and returns the stock once", async () => {
    await store.sql`update app.settings set lifecycle_from = '2026-01-01'`;
    await store.sql`update app.products set stock = 100`;
    for (let round = 0; round < 6; round++) {
      const { id, attemptNo } = await newAttempt();
      await store.sql`select app.end_attempt(${attemptNo}, 'closed', null, clock_timestamp())`;
      const { order_no } = (await store.sql`select order_no from app.orders where id = ${id}`)[0] as unknown as {
        order_no: string;
      };
      const expire = async (sql: Sql) =>
        String(
          (await sql`select app.expire_order(${id}, clock_timestamp() + interval '1 hour') as expired`)[0]?.expired,
        );
      const results = await store.together([notify(order_no, `old-${id}`), expire]);
      const [order] = await store.sql`select state from app.orders where id = ${id}`;
      expect(outcomes(results)).toEqual(order?.state === "paid" ? ["false", "paid"] : ["attention", "true"]);
    }
    expect(await store.findings()).toEqual([]);
    const [stock] = await store.sql`
      select p.stock + (select coalesce(sum(l.stock_taken), 0) from app.order_lines as l) as units from app.products as p`;
    expect(stock?.units).toBe("100");
  });

  it("with the deadline of the outbox is leased by one worker", async () => {
    await store.sql`update app.outbox set run_after = clock_timestamp() where state = 'waiting'`;
    const [waiting] = await store.sql`select count(*)::int as n from app.outbox`;
    const lease = async (sql: Sql) => (await sql`select id from app.lease_outbox(100, clock_timestamp())`).length;
    const results = await store.together(Array.from({ length: 4 }, () => lease));
    expect(
      outcomes(results)
        .map(Number)
        .reduce((sum, each) => sum + each, 0),
    ).toBe(waiting?.n);
  });
});

describe("concurrent refunds of one payment at its provider", () => {
  it("are one refund", async () => {
    const { id, attemptNo } = await newAttempt();
    await store.sql`select app.cancel_order(${id}, clock_timestamp())`;
    await notify(attemptNo, `late-${id}`)(store.sql);
    const refund = async (sql: Sql) => {
      const [row] =
        await sql`select (app.start_provider_refund(${id}, null, 'test', ${attemptNo}, ${`late-${id}`}, 1, 1, clock_timestamp())).state`;
      return row?.state as string;
    };
    const results = await store.together([refund, refund, refund]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

it("no race ended in a deadlock", async () => {
  expect(await store.deadlocks()).toBe(0);
});
