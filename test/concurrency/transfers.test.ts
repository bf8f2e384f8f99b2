import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  approvedTransfer,
  beginTransfer,
  earner,
  end,
  findings,
  hear,
  holdNothing,
  messages,
  notify,
} from "./earners.ts";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
  await holdNothing(store);
});
afterAll(() => store.close());

/** The state of a withdrawal, how many bill rows it has, and what its member has. */
async function outcomeOf(id: string) {
  const [row] = await store.sql`
    select w.state, (select count(*)::int from app.user_bill as l where l.withdrawal_id = w.id) as rows, b.brokerage_price as balance
    from app.withdrawals as w join app.user_balances as b using (uid) where w.id = ${id}`;
  return row;
}
const RETURNED = { rows: 2, balance: "720.00" };
const PAID = { state: "paid", rows: 1, balance: "620.00" };

describe("a withdrawal to WeChat", () => {
  it("is refused, or WeChat is told to pay it, but not both", async () => {
    for (let round = 0; round < 6; round += 1) {
      const open = await approvedTransfer(store, (await earner(store)).uid);
      const [begun, refused] = await store.together<unknown>([
        (sql) => beginTransfer(sql, open),
        (sql) => end(sql, open.id, "refused"),
      ]);
      const isBegun = begun?.status === "fulfilled" && begun.value !== null;
      expect(messages([begun!])).toEqual([]);
      expect(messages([refused!])).toEqual(isBegun ? ["withdrawal_state_conflict"] : []);
      expect(await outcomeOf(open.id)).toEqual(
        isBegun ? { ...PAID, state: "paying" } : { ...RETURNED, state: "refused" },
      );
    }
    expect(await findings(store)).toEqual([]);
  });

  it("returns once, however often WeChat reports at the same time that it failed", async () => {
    const open = await approvedTransfer(store, (await earner(store)).uid);
    await beginTransfer(store.sql, open);
    const results = await store.together<unknown>(
      Array.from(
        { length: 8 },
        (_, n) => (sql) => (n % 2 === 0 ? hear(sql, open, "failed") : notify(sql, open, "failed")),
      ),
    );
    expect(messages(results)).toEqual([]);
    expect(await outcomeOf(open.id)).toEqual({ ...RETURNED, state: "failed" });
    expect(await findings(store)).toEqual([]);
  });

  it("is paid, whatever is done beside the report that WeChat has transferred it", async () => {
    for (let round = 0; round < 4; round += 1) {
      const open = await approvedTransfer(store, (await earner(store)).uid);
      await beginTransfer(store.sql, open);
      const results = await store.together<unknown>([
        (sql) => hear(sql, open, "succeeded"),
        (sql) => notify(sql, open, "succeeded"),
        (sql) => hear(sql, open, "unknown"),
        (sql) => beginTransfer(sql, open),
        (sql) => end(sql, open.id, "refused"),
        (sql) => sql`select app.cancel_transfer(app.lock_withdrawal(${open.id}), clock_timestamp())`,
      ]);
      expect(messages(results).filter((message) => message !== "withdrawal_state_conflict")).toEqual([]);
      expect(await outcomeOf(open.id)).toEqual(PAID);
    }
    expect(await findings(store)).toEqual([]);
  });
});
