import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { approve, approved, earner, end, findings, holdNothing, messages, request } from "./earners.ts";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
  await holdNothing(store);
});
afterAll(() => store.close());

const newBatch = (sql: postgres.Sql, ids: string[] | null = null) =>
  sql`select id, withdrawals from app.create_withdrawal_batch('bank', ${ids}::bigint[], null, null, null)`;
const stateOf = async (id: string) =>
  (await store.sql`select state from app.withdrawals where id = ${id}`)[0]!.state as string;
const requested = async () => (await request(store.sql, await earner(store), 100))[0]!.id as string;

describe("a balance", () => {
  // Guarantee money/withdrawal-once: A balance is withdrawn once
  // By: the amount leaves the balance with the request, app.request_withdrawal
  it("is withdrawn once by eight requests at the same time", async () => {
    const member = await earner(store);
    const results = await store.together(
      Array.from({ length: 8 }, () => (sql: postgres.Sql) => request(sql, member, 720)),
    );
    expect(messages(results)).toEqual(Array(7).fill("withdrawal_open"));
    expect((await store.balances(member.uid)).brokerage_price).toBe("0.00");
    expect(await findings(store)).toEqual([]);
  });
});

describe("a request for a refund", () => {
  /**
   * Asks for the refund of an order of a member, and at the same time for a step of money.
   * @returns whether the step came first, and the error of the step
   */
  async function against(order: number, step: (sql: postgres.Sql) => Promise<unknown>, at: () => Promise<Date | null>) {
    const [request_, done] = await store.together<unknown>([
      (sql) => sql`select from app.request_refund(${order}, null, 'No', null)`,
      step,
    ]);
    expect(messages([request_!])).toEqual([]);
    const [{ asked }] = await store.sql<
      [{ asked: Date }]
    >`select created_at as asked from app.refunds where order_id = ${order} and state = 'requested'`;
    const time = await at();
    return { isFirst: time !== null && time <= asked, error: messages([done!])[0] ?? null };
  }

  // Guarantee money/withdrawal-held: While a refund of its order is requested, whichever came first, commission is not
  // withdrawn. An open withdrawal is not approved, paid or transferred until somebody repeats the amount
  // By: the lock of the balance, which the request takes, too; app.commission_parts and app.reject_holds
  it("comes before or after a withdrawal of the commission that it holds", async () => {
    for (let round = 0; round < 8; round += 1) {
      const member = await earner(store);
      const { isFirst, error } = await against(
        member.orders[0]!,
        (sql) => request(sql, member, 720),
        async () =>
          (await store.sql`select add_time from app.withdrawals where uid = ${member.uid}`)[0]?.add_time ?? null,
      );
      expect(error).toBe(isFirst ? null : "withdrawal_exceeds_balance");
    }
    expect(await findings(store)).toEqual([]);
  });

  // Guarantee money/withdrawal-held
  it.each<[string, (sql: postgres.Sql, id: string) => Promise<unknown>, string]>([
    [
      "its approval",
      (sql, id) => sql`
        select from app.lock_withdrawal(${id}) as w cross join lateral app.lock_balances(array[w.uid]) as l cross join lateral app.approve_withdrawal(w, null) as a`,
      "approved_at",
    ],
    ["its batch", (sql, id) => newBatch(sql, [id]), "paying_at"],
    ["its payment", (sql, id) => end(sql, id, "paid"), "ended_at"],
  ])("comes before or after %s, which it then stops", async (_name, step, column) => {
    for (let round = 0; round < 6; round += 1) {
      const member = await earner(store);
      const id = (await request(store.sql, member, 720))[0]!.id as string;
      if (column !== "approved_at") await approve(store.sql, id);
      const { isFirst, error } = await against(
        member.orders[0]!,
        (sql) => step(sql, id),
        async () => (await store.sql`select ${store.sql(column)} as at from app.withdrawals where id = ${id}`)[0]!.at,
      );
      expect(error).toBe(isFirst ? null : "held_by_refunds");
      // The other tests make batches of all that are approved.
      if (!isFirst || column === "approved_at") await end(store.sql, id, "refused");
    }
    expect(await findings(store)).toEqual([]);
  });
});

describe("an account", () => {
  it("is deleted, or a withdrawal to it is requested, but not both", async () => {
    for (let round = 0; round < 6; round += 1) {
      const member = await earner(store);
      const results = await store.together<unknown>([
        (sql) => request(sql, member, 100),
        (sql) => sql`select from app.delete_payout_account(${member.uid}, ${member.account}, null)`,
      ]);
      expect(messages(results)).toSatisfy(
        ([message, ...others]: string[]) =>
          others.length === 0 && ["account_in_use", "account_not_found"].includes(message!),
      );
    }
  });

  it("is added once by eight requests at the same time, and no more than ten are", async () => {
    const uid = await store.signUp();
    const add = (number: string) => (sql: postgres.Sql) =>
      sql`select id from app.add_payout_account(${uid}, 'alipay', 'Payee', ${number}, null, null)`;
    const same = await store.together(Array.from({ length: 8 }, () => add("13800000000")));
    expect(new Set(same.map((result) => result.status === "fulfilled" && result.value[0]!.id)).size).toBe(1);
    const others = await store.together(Array.from({ length: 12 }, (_, n) => add(`1390000${1000 + n}`)));
    expect(messages(others)).toEqual(Array(3).fill("too_many_accounts"));
  });

  it("is gone with its member, whatever is requested at the same time", async () => {
    for (let round = 0; round < 4; round += 1) {
      const member = await earner(store);
      const results = await store.together<unknown>([
        (sql) => request(sql, member, 100),
        (sql) => sql`delete from auth.users where id = (select auth_id from app.users where uid = ${member.uid})`,
      ]);
      expect(messages(results).filter((message) => message !== "account_not_found")).toEqual([]);
      const [left] = await store.sql`
        select (select count(*)::int from app.payout_accounts where uid = ${member.uid}) as accounts,
          (select count(*)::int from app.withdrawals where uid = ${member.uid} and account_hint <> '') as hints`;
      expect(left).toEqual({ accounts: 0, hints: 0 });
    }
  });
});

describe("a withdrawal", () => {
  it("is approved or refused first, and keeps the state of the last that was allowed", async () => {
    for (let round = 0; round < 6; round += 1) {
      const id = await requested();
      const [first, second] = await store.together<unknown>([
        (sql) => approve(sql, id),
        (sql) => end(sql, id, "refused"),
      ]);
      // An approved one can still be refused, a refused one is at its end.
      expect(second!.status).toBe("fulfilled");
      expect(messages([first!])).toSatisfy(
        (found: string[]) => found.length === 0 || found[0] === "withdrawal_state_conflict",
      );
      expect(await stateOf(id)).toBe("refused");
    }
    expect(await findings(store)).toEqual([]);
  });

  // Guarantee money/withdrawal-cancelled: A member cancels only a withdrawal that nobody has approved, and its amount
  // returns once
  // By: the lock of the withdrawal, app.cancel_withdrawal
  it("is approved or cancelled by its member, but not both", async () => {
    for (let round = 0; round < 6; round += 1) {
      const id = await requested();
      const results = await store.together<unknown>([
        (sql) => approve(sql, id),
        (sql) => sql`select from app.cancel_withdrawal(app.lock_withdrawal(${id}), null)`,
      ]);
      expect(messages(results)).toEqual(["withdrawal_state_conflict"]);
      expect(await stateOf(id)).toBe(results[0]!.status === "fulfilled" ? "approved" : "cancelled");
    }
    expect(await findings(store)).toEqual([]);
  });

  it("is paid or fails, but not both", async () => {
    for (let round = 0; round < 6; round += 1) {
      const [id] = (await approved(store, 1)) as [string];
      const results = await store.together<unknown>([(sql) => end(sql, id, "paid"), (sql) => end(sql, id, "failed")]);
      expect(messages(results)).toEqual(["withdrawal_state_conflict"]);
    }
    expect(await findings(store)).toEqual([]);
  });

  it("is put into a batch or refused, but not both", async () => {
    for (let round = 0; round < 4; round += 1) {
      const [id] = (await approved(store, 1)) as [string];
      const results = await store.together<unknown>([(sql) => newBatch(sql, [id]), (sql) => end(sql, id, "refused")]);
      expect(messages(results)).toEqual(["withdrawal_state_conflict"]);
      expect(await stateOf(id)).toBe(results[0]!.status === "fulfilled" ? "paying" : "refused");
    }
  });

  // Guarantee money/batch-once: A withdrawal is in one file for the bank
  // By: the lock of the withdrawals, app.create_withdrawal_batch
  it("is in one batch, however many batches are made at the same time", async () => {
    const ids = await approved(store, 5);
    const results = await store.together(Array.from({ length: 4 }, () => (sql: postgres.Sql) => newBatch(sql)));
    expect(messages(results)).toEqual(Array(3).fill("withdrawal_state_conflict"));
    const batches = await store.sql`select distinct batch_id from app.withdrawals where id in ${store.sql(ids)}`;
    expect(batches).toHaveLength(1);
    expect(await findings(store)).toEqual([]);
  });
});
