import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { approved, findings, holdNothing } from "./earners.ts";
import { Store } from "./store.ts";

let store: Store;
/** The Auth account of an administrator. */
let administrator: string;
beforeAll(async () => {
  store = await Store.open();
  await holdNothing(store);
  await store.sql`grant store_api to postgres`;
  const uid = await store.signUp();
  const [row] = await store.sql`select app.add_administrator(auth_id::text) as id from app.users where uid = ${uid}`;
  administrator = row!.id;
});
afterAll(() => store.close());

/** A write of the administrator, as the API makes it. */
type Call = [name: string, args: Record<string, string | number>];
const run = (sql: postgres.Sql, [name, args]: Call, key: string | null = null) =>
  sql`select app.as_caller(${sql.json({ role: "store_admin", sub: administrator })}, ${name}, ${sql.json(args)}, ${key}, 'crash') as result`;
const create: Call = ["create_withdrawal_batch", { p_method: "bank" }];

/** The states of withdrawals, in order, and what their members have. */
async function statesOf(ids: string[]): Promise<{ states: string[]; balances: string[]; batches: number }> {
  const rows =
    await store.sql`select w.state, b.brokerage_price, w.batch_id from app.withdrawals as w join app.user_balances as b using (uid) where w.id in ${store.sql(ids)} order by w.id`;
  return {
    states: rows.map(({ state }) => state),
    balances: rows.map(({ brokerage_price }) => brokerage_price),
    batches: new Set(rows.flatMap(({ batch_id }) => batch_id ?? [])).size,
  };
}

/** Three approved withdrawals; for the later steps they are in a batch already. */
async function prepare(operation: "create" | "fail" | "pay"): Promise<{ ids: string[]; call: Call }> {
  const ids = await approved(store, 3);
  if (operation === "create") return { ids, call: create };
  const [{ result } = {}] = await run(store.sql, create);
  const { id: batch } = result as { id: number };
  const fail: Call = ["mark_withdrawal_failed", { p_id: Number(ids[0]), p_reason: "The account is closed." }];
  if (operation === "fail") return { ids, call: fail };
  await run(store.sql, fail);
  return { ids, call: ["mark_withdrawal_batch_paid", { p_id: batch }] };
}

const RESULT = {
  create: { states: ["paying", "paying", "paying"], balances: ["620.00", "620.00", "620.00"], batches: 1 },
  fail: { states: ["failed", "paying", "paying"], balances: ["720.00", "620.00", "620.00"], batches: 1 },
  pay: { states: ["failed", "paid", "paid"], balances: ["720.00", "620.00", "620.00"], batches: 1 },
};

/** Every step of the three writes, by the trigger that stops there. */
const STEPS: [operation: keyof typeof RESULT, step: string, trigger: string | null][] = [
  ["create", "before the withdrawals are locked", null],
  ["create", "after the batch was written", "after insert on app.withdrawal_batches"],
  ["create", "after a withdrawal was moved to paying", "after update on app.withdrawals"],
  ["create", "after the action was recorded", "after insert on app.admin_actions"],
  ["create", "before the commit", "commit"],
  ["fail", "before the withdrawal is locked", null],
  ["fail", "after the withdrawal was changed", "after update on app.withdrawals"],
  ["fail", "after the bill row was written", "after insert on app.user_bill"],
  ["fail", "after the balance was changed", "after update on app.user_balances"],
  ["fail", "after the action was recorded", "after insert on app.admin_actions"],
  ["fail", "before the commit", "commit"],
  ["pay", "before the withdrawals are locked", null],
  ["pay", "after a withdrawal was changed", "after update on app.withdrawals"],
  ["pay", "after the action was recorded", "after insert on app.admin_actions"],
  ["pay", "before the commit", "commit"],
];

describe("a crash of the connection in a payout batch", () => {
  // Guarantee money/batch-crash: A payout batch whose write crashed is unchanged, and the repeated write completes it
  // By: each write is one transaction, app.create_withdrawal_batch
  it.each(STEPS)(
    "(%s) %s leaves everything as it was, and the repeated write completes it",
    async (operation, _step, trigger) => {
      const { ids, call } = await prepare(operation);
      const before = await statesOf(ids);

      const gate = store.connection();
      await gate`select pg_advisory_lock(7)`;
      const table = trigger?.split(" on ")[1];
      if (table) {
        await store.sql.unsafe(`
        create or replace function public.wait_at_gate() returns trigger language plpgsql security definer as $$ begin perform pg_advisory_xact_lock(7); return null; end $$;
        create trigger zz_waits_at_gate ${trigger} for each row execute function public.wait_at_gate()`);
      }
      const victim = store.connection();
      const [{ pid } = {}] = await victim`select pg_backend_pid() as pid`;
      await victim`begin`;
      const crashed = (async () => {
        if (trigger === null) await victim`select pg_advisory_xact_lock(7)`;
        await run(victim, call);
        if (trigger === "commit") await victim`select pg_advisory_xact_lock(7)`;
        await victim`commit`;
      })().then(
        () => "committed",
        () => "crashed",
      );
      await store.untilWaiting(1);
      await store.sql`select pg_terminate_backend(${pid})`;
      expect(await crashed).toBe("crashed");
      await victim.end({ timeout: 0 });
      await gate.end();
      if (table) await store.sql.unsafe(`drop trigger zz_waits_at_gate on ${table}`);

      expect(await statesOf(ids)).toEqual(before);
      await run(store.sql, call);
      expect(await statesOf(ids)).toEqual(RESULT[operation]);
      expect(await findings(store)).toEqual([]);
    },
  );

  it("after the commit has made the batch: the same key returns it, and another run finds nothing left", async () => {
    const ids = await approved(store, 2);
    const victim = store.connection();
    const [first] = await run(victim, create, "the-same-key");
    await victim.end({ timeout: 0 });
    expect((await run(store.sql, create, "the-same-key"))[0]).toEqual(first);
    await expect(run(store.sql, create)).rejects.toThrow("withdrawal_state_conflict");
    expect((await statesOf(ids)).states).toEqual(["paying", "paying"]);
  });

  it.each(["fail", "pay"] as const)("after the commit (%s): the repeated write changes nothing", async (operation) => {
    const { ids, call } = await prepare(operation);
    await run(store.sql, call);
    const bill = async () => (await store.sql`select count(*)::int as rows from app.user_bill`)[0]!.rows as number;
    const rows = await bill();
    await run(store.sql, call);
    expect(await statesOf(ids)).toEqual(RESULT[operation]);
    expect(await bill()).toBe(rows);
  });
});
