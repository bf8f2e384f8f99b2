import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

type Sql = Store["sql"];
const outcomes = (results: PromiseSettledResult<unknown>[]) =>
  results.map((result) => (result.status === "fulfilled" ? String(result.value) : String((result.reason as Error).message))).sort();

async function newOrder(): Promise<{ id: number; order_no: string }> {
  const id = await store.order(await store.signUp());
  const [row] = await store.sql`select order_no from app.orders where id = ${id}`;
  return { id, order_no: row?.order_no };
}

/** Records a notification of the whole price, like the edge function. */
const notify = (order_no: string, payRef: string) => async (sql: Sql) => {
  const [row] = await sql`select api.record_payment_notification('test', ${`event of ${payRef}`}, 'payment', null, ${order_no}, ${payRef}, 360000, 'CNY') ->> 'outcome' as outcome`;
  return row?.outcome as string;
};

describe("concurrent payment notifications", () => {
  it("pay an order once, whichever payment is first", async () => {
    const { id, order_no } = await newOrder();
    const results = await store.together(Array.from({ length: 8 }, (_, index) => notify(order_no, `ref-${id}-${index % 4}`)));
    expect(outcomes(results)).toEqual([...Array<string>(6).fill("attention"), "paid", "repeated"]);
    const [jobs] = await store.sql`select count(*)::int as n from app.settlement_jobs where order_id = ${id}`;
    const [rows] = await store.sql`select count(*)::int as n from app.payment_notifications where order_id = ${id}`;
    expect([jobs?.n, rows?.n]).toEqual([1, 8]);
  });

  it("pay only one of two orders with the same payment", async () => {
    const [one, two] = [await newOrder(), await newOrder()];
    const results = await store.together([notify(one.order_no, `shared-${one.id}`), notify(two.order_no, `shared-${one.id}`)]);
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
      expect(outcomes(results)).toEqual(order?.state === "paid" ? ["order_state_conflict", "paid"] : ["attention", "cancelled"]);
    }
  });
});
