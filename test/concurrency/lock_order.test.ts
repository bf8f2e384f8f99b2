import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "./store.ts";

// The one order of decision 0002: the structure, orders, balances. A call that waits for a lock holds none of those
// that come later.
let store: Store;
beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

/**
 * Calls a function while another transaction holds a lock.
 * @returns whether it waits, and then has locked none of the rows
 */
async function meanwhile(lock: string, call: string, later: string[]): Promise<string> {
  const [holder, caller] = [store.connection(), store.connection()];
  await holder.unsafe(`begin; select ${lock}`).simple();
  let end: string | undefined;
  const called = caller
    .unsafe(`select ${call}`)
    .then(
      () => "ended",
      (error: unknown) => (error as Error).message,
    )
    .then((result) => (end = result));
  while (end === undefined && !(await isWaiting())) continue;
  const seen = end ?? "waits";
  const free = await Promise.all(later.map((row) => store.sql.unsafe(`select from app.${row} for update skip locked`)));
  await holder`rollback`;
  const last = await called;
  await Promise.all([holder.end(), caller.end()]);
  return [
    seen,
    ...later.filter((_, index) => free[index]!.length === 0).map((row) => `has locked ${row}`),
    ...(last === "ended" ? [] : [last]),
  ].join(", ");
}

const isWaiting = async () =>
  (await store.sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    .length > 0;

/** A settled order of a member with a referrer. */
async function settledOrder(): Promise<{ id: number; uid: number }> {
  const uid = await store.signUp(await store.reporter());
  const id = await store.buy(uid);
  await store.settle(id);
  return { id, uid };
}

const now = "clock_timestamp()";

describe("the shared structure lock is taken before the order by", () => {
  it.each<[string, (id: number) => string, ((sql: postgres.Sql, id: number) => Promise<unknown>)?]>([
    ["a settlement", (id) => `app.settle_order(${id}, ${now})`],
    ["a receipt", (id) => `app.confirm_receipt(${id}, ${now})`],
    ["an automatic receipt", (id) => `app.receive_if_due(${id}, ${now})`],
    ["a refund", (id) => `app.refund_order(${id}, null, null, ${now})`],
    ["a refund request", (id) => `app.request_refund(${id}, null, 'No', ${now})`],
    [
      "a refused refund request",
      (id) => `app.refuse_refund(${id}, ${now})`,
      (sql, id) => sql`select app.request_refund(${id}, null, 'No', clock_timestamp())`,
    ],
    [
      "a refund request that is taken back",
      (id) => `app.take_back_refund(${id}, ${now})`,
      (sql, id) => sql`select app.request_refund(${id}, null, 'No', clock_timestamp())`,
    ],
    ["the record of a refund", (id) => `app.load_refund_state(${id})`],
  ])("%s", async (_name, call, prepare) => {
    const { id } = await settledOrder();
    await prepare?.(store.sql, id);
    expect(await meanwhile("app.lock_structure()", call(id), [`orders where id = ${id}`])).toBe("waits");
  });

  it("the settlement of waiting jobs", async () => {
    const id = await store.buy(await store.signUp());
    expect(await meanwhile("app.lock_structure()", "app.run_settlement_jobs()", [`orders where id = ${id}`])).toBe(
      "waits",
    );
  });
});

describe("the exclusive structure lock is taken before the balances by", () => {
  it.each<[string, (uid: number, other: number) => string]>([
    ["a binding", (uid, other) => `app.bind_spread(${uid}, ${other}, ${now})`],
    ["a level set by an administrator", (uid) => `app.set_agent_level(${uid}, 1::smallint, null, ${now})`],
    ["the no-assess flag", (uid) => `app.set_no_assess(${uid}, true, null, ${now})`],
    ["the deletion of an account", (uid) => `app.delete_account_if_due(${uid}, ${now})`],
  ])("%s, which waits for settlements", async (_name, call) => {
    const [uid, other] = [await store.reporter(), await store.reporter()];
    expect(
      await meanwhile("app.lock_structure_shared()", call(uid, other), [
        `user_balances where uid in (${uid}, ${other})`,
      ]),
    ).toBe("waits");
  });
});

describe("the order is locked before the balances by", () => {
  it.each<[string, (id: number) => string]>([
    ["a refund", (id) => `app.refund_order(${id}, null, null, ${now})`],
    ["a refund request", (id) => `app.request_refund(${id}, null, 'No', ${now})`],
    ["the record of a refund", (id) => `app.load_refund_state(${id})`],
  ])("%s", async (_name, call) => {
    const { id, uid } = await settledOrder();
    expect(await meanwhile(`app.lock_order(${id})`, call(id), [`user_balances where uid = ${uid}`])).toBe("waits");
  });
});
