import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
  await store.sql`select from app.create_plan('{"holding_days": 0}', null, clock_timestamp())`;
  await store.sql`grant store_api to postgres`;
});
afterAll(() => store.close());

/** A member who can withdraw the commission of an order: 720.00, or 1,080.00 or 1,800.00 at later places. */
async function earner(orders = 1): Promise<{ uid: number; account: string; orders: number[] }> {
  const uid = await store.reporter();
  const earned: number[] = [];
  for (let count = 0; count < orders; count += 1) {
    const id = await store.buy(await store.signUp(uid));
    await store.settle(id);
    await store.sql`select from app.confirm_receipt(${id}, clock_timestamp())`;
    earned.push(id);
  }
  const [account] = await store.sql`select id from app.add_payout_account(${uid}, 'bank', 'Payee', '6222021234567890', 'Bank', clock_timestamp())`;
  return { uid, account: account!.id, orders: earned };
}

const request = (sql: postgres.Sql, { uid, account }: { uid: number; account: string }, amount: number) =>
  sql`select id from app.request_withdrawal(${uid}, ${amount}, 'bank', ${account}, null)`;
const approve = (sql: postgres.Sql, id: string) => sql`select from app.advance_withdrawal(${id}, 'approved', null)`;
const end = (sql: postgres.Sql, id: string, state: string) => sql`select from app.end_withdrawal(${id}, ${state}, ${state === "paid" ? null : "No"}, null, null)`;
const newBatch = (sql: postgres.Sql, ids: string[] | null = null) => sql`select id, withdrawals from app.create_withdrawal_batch('bank', ${ids}::bigint[], null, null, null)`;
const messages = (results: PromiseSettledResult<unknown>[]) => results.flatMap((result) => result.status === "rejected" ? [(result.reason as Error).message] : []);
const stateOf = async (id: string) => (await store.sql`select state from app.withdrawals where id = ${id}`)[0]!.state as string;
const requested = async (amount = 100) => (await request(store.sql, await earner(), amount))[0]!.id as string;

async function approved(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const id = await requested();
    await approve(store.sql, id);
    ids.push(id);
  }
  return ids;
}

/** The findings about money. The tests release points of single members, without the run of the day. */
const findings = async () => (await store.findings()).filter((finding) => !/release|job/.test(JSON.stringify(finding)));

describe("a balance", () => {
  it("is withdrawn once by eight requests at the same time", async () => {
    const member = await earner();
    const results = await store.together(Array.from({ length: 8 }, () => (sql: postgres.Sql) => request(sql, member, 720)));
    expect(messages(results)).toEqual(Array(7).fill("withdrawal_open"));
    expect((await store.balances(member.uid)).brokerage_price).toBe("0.00");
    expect(await findings()).toEqual([]);
  });

  it("is withdrawn or refunded first, and never both unnoticed", async () => {
    for (let round = 0; round < 4; round += 1) {
      const member = await earner();
      const [withdrawal] = await store.together<unknown>([
        (sql) => request(sql, member, 720),
        (sql) => sql`select from app.refund_order(${member.orders[0]!}, null, null, null)`,
      ]);
      const { brokerage_price } = await store.balances(member.uid);
      expect(brokerage_price).toBe(withdrawal!.status === "fulfilled" ? "-720.00" : "0.00");
      if (withdrawal!.status === "rejected") expect(messages([withdrawal!])).toEqual(["withdrawal_exceeds_balance"]);
    }
    expect(await findings()).toEqual([]);
  });

  it("agrees with its bill after refund, withdrawal, release, settlement and receipt at the same time, without a deadlock", async () => {
    const before = await store.deadlocks();
    for (let round = 0; round < 3; round += 1) {
      const member = await earner(2);
      const [toSettle, toReceive] = [await store.buy(await store.signUp(member.uid)), await store.buy(await store.signUp(member.uid))];
      await store.settle(toReceive);
      const open = (await request(store.sql, member, 10))[0]!.id as string;
      await approve(store.sql, open);
      const day = `2026-0${round + 1}-01`;
      const results = await store.together<unknown>([
        (sql) => sql`select from app.refund_order(${member.orders[0]!}, null, null, null)`,
        (sql) => request(sql, member, 500),
        (sql) => end(sql, open, "failed"),
        (sql) => sql`select from app.release_members(${day}, array[${member.uid}::bigint], clock_timestamp())`,
        (sql) => sql`select from app.settle_order(${toSettle}, clock_timestamp())`,
        (sql) => sql`select from app.confirm_receipt(${toReceive}, null)`,
        (sql) => sql`select from app.delete_payout_account(${member.uid}, ${member.account}, null)`,
      ]);
      expect(messages(results).filter((message) => !/^(withdrawal_open|withdrawal_exceeds_balance|account_in_use|account_not_found)$/.test(message))).toEqual([]);
    }
    expect(await store.deadlocks()).toBe(before);
    expect(await findings()).toEqual([]);
  });
});

describe("an account", () => {
  it("is deleted, or a withdrawal to it is requested, but not both", async () => {
    for (let round = 0; round < 6; round += 1) {
      const member = await earner();
      const results = await store.together<unknown>([
        (sql) => request(sql, member, 100),
        (sql) => sql`select from app.delete_payout_account(${member.uid}, ${member.account}, null)`,
      ]);
      expect(messages(results)).toSatisfy(([message, ...others]: string[]) => others.length === 0 && ["account_in_use", "account_not_found"].includes(message!));
    }
  });

  it("is added once by eight requests at the same time, and no more than ten are", async () => {
    const uid = await store.signUp();
    const add = (number: string) => (sql: postgres.Sql) => sql`select id from app.add_payout_account(${uid}, 'alipay', 'Payee', ${number}, null, null)`;
    const same = await store.together(Array.from({ length: 8 }, () => add("13800000000")));
    expect(new Set(same.map((result) => result.status === "fulfilled" && result.value[0]!.id)).size).toBe(1);
    const others = await store.together(Array.from({ length: 12 }, (_, n) => add(`1390000${1000 + n}`)));
    expect(messages(others)).toEqual(Array(3).fill("too_many_accounts"));
  });

  it("is gone with its member, whatever is requested at the same time", async () => {
    for (let round = 0; round < 4; round += 1) {
      const member = await earner();
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
      const [first, second] = await store.together<unknown>([(sql) => approve(sql, id), (sql) => end(sql, id, "refused")]);
      // An approved one can still be refused, a refused one is at its end.
      expect(second!.status).toBe("fulfilled");
      expect(messages([first!])).toSatisfy((found: string[]) => found.length === 0 || found[0] === "withdrawal_state_conflict");
      expect(await stateOf(id)).toBe("refused");
    }
    expect(await findings()).toEqual([]);
  });

  it("is paid or fails, but not both", async () => {
    for (let round = 0; round < 6; round += 1) {
      const [id] = await approved(1) as [string];
      const results = await store.together<unknown>([(sql) => end(sql, id, "paid"), (sql) => end(sql, id, "failed")]);
      expect(messages(results)).toEqual(["withdrawal_state_conflict"]);
    }
    expect(await findings()).toEqual([]);
  });

  it("is put into a batch or refused, but not both", async () => {
    for (let round = 0; round < 4; round += 1) {
      const [id] = await approved(1) as [string];
      const results = await store.together<unknown>([(sql) => newBatch(sql, [id]), (sql) => end(sql, id, "refused")]);
      expect(messages(results)).toEqual(["withdrawal_state_conflict"]);
      expect(await stateOf(id)).toBe(results[0]!.status === "fulfilled" ? "paying" : "refused");
    }
  });

  it("is in one batch, however many batches are made at the same time", async () => {
    const ids = await approved(5);
    const results = await store.together(Array.from({ length: 4 }, () => (sql: postgres.Sql) => newBatch(sql)));
    expect(messages(results)).toEqual(Array(3).fill("withdrawal_state_conflict"));
    const batches = await store.sql`select distinct batch_id from app.withdrawals where id in ${store.sql(ids)}`;
    expect(batches).toHaveLength(1);
    expect(await findings()).toEqual([]);
  });
});

describe("a crash of the connection", () => {
  const STEPS = {
    "before the withdrawals are locked": null,
    "after the batch was written": "after insert on app.withdrawal_batches",
    "after a withdrawal was moved to paying": "after update on app.withdrawals",
    "after the action was recorded": "after insert on app.admin_actions",
    "before the commit": "commit",
  };

  it.each(Object.entries(STEPS))("%s leaves each withdrawal approved, and the next run puts it into one batch", async (_step, trigger) => {
    const ids = await approved(3);
    const { uid: admin } = await earner();
    const [{ auth_id } = {}] = await store.sql`select auth_id, app.add_administrator(auth_id::text) from app.users where uid = ${admin}`;
    const run = (sql: postgres.Sql) =>
      sql`select app.as_caller(${sql.json({ role: "store_admin", sub: auth_id })}, 'create_withdrawal_batch', '{"p_method": "bank"}', null, 'crash')`;

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
      await run(victim);
      if (trigger === "commit") await victim`select pg_advisory_xact_lock(7)`;
      await victim`commit`;
    })().then(() => "committed", () => "crashed");
    await store.untilWaiting(1);
    await store.sql`select pg_terminate_backend(${pid})`;
    expect(await crashed).toBe("crashed");
    await victim.end({ timeout: 0 });
    await gate.end();
    if (table) await store.sql.unsafe(`drop trigger zz_waits_at_gate on ${table}`);

    for (const id of ids) expect(await stateOf(id)).toBe("approved");
    await run(store.sql);
    const rows = await store.sql`select state, batch_id from app.withdrawals where id in ${store.sql(ids)}`;
    expect(rows.map(({ state }) => state)).toEqual(["paying", "paying", "paying"]);
    expect(new Set(rows.map(({ batch_id }) => batch_id)).size).toBe(1);
    const [batch] = await store.sql`select withdrawals from app.withdrawal_batches where id = ${rows[0]!.batch_id}`;
    expect(batch).toEqual({ withdrawals: 3 });
  });

  it("after the commit has made the batch: the same key returns it, and another run finds nothing left", async () => {
    const ids = await approved(2);
    const { uid: admin } = await earner();
    const [{ auth_id } = {}] = await store.sql`select auth_id, app.add_administrator(auth_id::text) from app.users where uid = ${admin}`;
    const run = (sql: postgres.Sql, key: string | null) =>
      sql`select app.as_caller(${sql.json({ role: "store_admin", sub: auth_id })}, 'create_withdrawal_batch', '{"p_method": "bank"}', ${key}, 'crash') as batch`;
    const victim = store.connection();
    const [first] = await run(victim, "the-same-key");
    await victim.end({ timeout: 0 });
    expect((await run(store.sql, "the-same-key"))[0]).toEqual(first);
    await expect(run(store.sql, null)).rejects.toThrow("withdrawal_state_conflict");
    for (const id of ids) expect(await stateOf(id)).toBe("paying");
  });
});
