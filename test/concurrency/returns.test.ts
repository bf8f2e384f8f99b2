import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "./store.ts";

let store: Store;
let buyer: number;
beforeAll(async () => {
  store = await Store.open();
  await store.sql`select app.set_settings(${store.sql.json({ return_address: { name: "Returns", phone: "0755 2660 0000", region: ["广东省"], street: "Gate 4" } })}, now())`;
  buyer = await store.signUp(await store.reporter());
});
afterAll(() => store.close());

/** A shipped order with a refund request whose goods were asked for. */
async function returning(): Promise<number> {
  const id = await store.buy(buyer);
  await store.settle(id);
  await store.sql`select app.deliver_order(${id}, clock_timestamp())`;
  await store.sql`select app.request_refund(${id}, null, 'Too small', clock_timestamp())`;
  await store.sql`select app.request_return(${id}, clock_timestamp())`;
  return id;
}

const ask = (id: number) => (sql: postgres.Sql) => sql`select app.request_return(${id}, clock_timestamp())`;
const receive = (id: number) => (sql: postgres.Sql) => sql`select app.receive_return(${id}, clock_timestamp())`;
const send = (id: number, number: string) => (sql: postgres.Sql) =>
  sql`select app.send_return(${id}, 'SF', ${number}, clock_timestamp())`;
const refuse = (id: number) => (sql: postgres.Sql) => sql`select app.refuse_refund(${id}, clock_timestamp())`;
const refund =
  (id: number, answers: boolean | null = null) =>
  (sql: postgres.Sql) =>
    sql`select app.refund_order(${id}, null, null, clock_timestamp(), p_answers_request => ${answers})`;
const takeBack = (id: number) => (sql: postgres.Sql) => sql`select app.take_back_refund(${id}, clock_timestamp())`;

const state = async (id: number) =>
  (
    await store.sql`select state, return_tracking_no as number, return_received_at is not null as arrived from app.refunds where order_id = ${id}`
  )[0]!;
const told = async (id: number, type: string) =>
  (await store.sql`select from app.events where subject_id = ${id} and type = ${type}`).length;
const outcome = (result: PromiseSettledResult<unknown>) =>
  result.status === "fulfilled" ? "done" : (result.reason as Error).message;

/** Whether a work, begun while the order is locked by another that is open, waits; then both end. */
async function second(
  id: number,
  first: (sql: postgres.Sql) => Promise<unknown>,
  then: (sql: postgres.Sql) => Promise<unknown>,
) {
  const [one, two] = [store.connection(), store.connection()];
  let later: Promise<PromiseSettledResult<unknown>[]> | undefined;
  await one.begin(async (transaction) => {
    await first(transaction as unknown as postgres.Sql);
    later = Promise.allSettled([then(two)]);
    await store.untilWaiting(1);
  });
  const [result] = await later!;
  await Promise.all([one.end(), two.end()]);
  return { outcome: outcome(result!), ...(await state(id)) };
}

describe("the goods of a request", () => {
  it("are not received once the request is refused, whichever waits for the other", async () => {
    const [early, late] = [await returning(), await returning()];
    expect(await second(early, refuse(early), receive(early))).toEqual({
      outcome: "refund_not_found",
      state: "refused",
      number: null,
      arrived: false,
    });
    expect(await second(late, receive(late), refuse(late))).toEqual({
      outcome: "done",
      state: "refused",
      number: null,
      arrived: true,
    });
  });

  it("are not received once the order is refunded, and are refunded after they were", async () => {
    const [early, late] = [await returning(), await returning()];
    expect(await second(early, refund(early), receive(early))).toMatchObject({
      outcome: "refund_not_found",
      state: "refunded",
      arrived: false,
    });
    expect(await second(late, receive(late), refund(late))).toMatchObject({
      outcome: "done",
      state: "refunded",
      arrived: true,
    });
  });

  // Guarantee money/refund-taken-back
  it("are refunded or their request is taken back, whichever comes first", async () => {
    const [early, late] = [await returning(), await returning()];
    expect(await second(early, takeBack(early), refund(early, true))).toMatchObject({
      outcome: "refund_not_found",
      state: "taken_back",
    });
    expect(await second(late, refund(late, true), takeBack(late))).toMatchObject({
      outcome: "refund_not_found",
      state: "refunded",
    });
  });

  it("are sent or their request is taken back, whichever comes first", async () => {
    const [early, late] = [await returning(), await returning()];
    expect(await second(early, takeBack(early), send(early, "R1"))).toMatchObject({
      outcome: "refund_not_found",
      state: "taken_back",
      number: null,
    });
    expect(await second(late, send(late, "R1"), takeBack(late))).toMatchObject({
      outcome: "refund_state_conflict",
      state: "requested",
      number: "R1",
    });
  });

  // Guarantee money/returns
  it("keep their number when they have arrived, also if it is corrected meanwhile", async () => {
    const [early, late] = [await returning(), await returning()];
    expect(await second(early, receive(early), send(early, "R1"))).toMatchObject({
      outcome: "refund_state_conflict",
      number: null,
      arrived: true,
    });
    expect(await second(late, send(late, "R1"), receive(late))).toMatchObject({
      outcome: "done",
      number: "R1",
      arrived: true,
    });
  });

  // Guarantee money/returns: Returned goods are recorded once, their parcel stays as it is, and no step of a return
  // changes money
  // By: the order is locked before it is checked, sql/11_refunds/returns.sql
  it("are asked for, sent and received once, whoever repeats it at the same time", async () => {
    const id = await store.buy(buyer);
    await store.settle(id);
    await store.sql`select app.deliver_order(${id}, clock_timestamp())`;
    await store.sql`select app.request_refund(${id}, null, 'Too small', clock_timestamp())`;
    for (const [work, type] of [
      [ask(id), "refund.return_requested"],
      [send(id, "R1"), "refund.return_sent"],
      [receive(id), "refund.return_received"],
    ] as const) {
      const done = await store.together([work, work, work]);
      expect(done.map(outcome)).toEqual(["done", "done", "done"]);
      expect(await told(id, type), type).toBe(1);
    }
  });

  it("leave money and locks as they must be", async () => {
    const [one, two] = [await returning(), await returning()];
    await store.together([receive(one), refund(one), send(one, "R1"), refuse(two), receive(two), send(two, "R2")]);
    expect(await store.deadlocks()).toBe(0);
    expect(await store.findings()).toEqual([]);
  });
});
