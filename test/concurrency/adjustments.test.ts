import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

async function administrator(): Promise<string> {
  const uid = await store.signUp();
  const [row] =
    await store.sql`select app.add_administrator((select u.auth_id::text from app.users as u where u.uid = ${uid})) as id`;
  return row!.id;
}

/** An adjustment of 5,000.00 that waits. */
async function waiting() {
  const [uid, maker] = [await store.signUp(), await administrator()];
  const seconds = [await administrator(), await administrator()];
  const [row] = await store.sql`select (app.create_adjustment(${uid}, 5000, null, null, 'Test', ${maker}, null)).id`;
  return { uid, id: Number(row!.id), seconds };
}

const decide = (id: number, state: string, by: string) => (sql: postgres.Sql) =>
  sql`select from app.decide_adjustment(${id}, ${state}, ${by}, null)`;

describe("an adjustment that waits", () => {
  it("is booked once when two administrators approve it at once", async () => {
    const { uid, id, seconds } = await waiting();
    const results = await store.together([...seconds, ...seconds].map((by) => decide(id, "booked", by)));
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(await store.balances(uid)).toMatchObject({ brokerage_price: "5000.00" });
    expect(await store.findings()).toEqual([]);
  });

  it("is either booked or refused when both are asked for at once", async () => {
    const {
      uid,
      id,
      seconds: [one, two],
    } = await waiting();
    const results = await store.together([decide(id, "booked", one!), decide(id, "refused", two!)]);
    const lost = results.filter((result): result is PromiseRejectedResult => result.status === "rejected");
    expect(lost.map(({ reason }) => reason.message)).toEqual(["adjustment_state_conflict"]);
    const [row] = await store.sql`select state from app.adjustments where id = ${id}`;
    expect(await store.balances(uid)).toMatchObject({ brokerage_price: row!.state === "booked" ? "5000.00" : "0.00" });
    expect(await store.findings()).toEqual([]);
  });

  it("never makes frozen points negative beside other adjustments", async () => {
    const [uid, maker] = [await store.signUp(), await administrator()];
    await store.sql`select from app.create_adjustment(${uid}, null, 500, null, 'Test', ${maker}, null)`;
    const take = (sql: postgres.Sql) =>
      sql`select from app.create_adjustment(${uid}, null, -200, null, 'Test', ${maker}, null)`;
    const results = await store.together([take, take, take, take]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(await store.balances(uid)).toMatchObject({ frozen_points: "100.0000" });
    expect(await store.deadlocks()).toBe(0);
  });
});
