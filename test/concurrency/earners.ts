import type postgres from "postgres";
import type { Store } from "./store.ts";

/** A member with a payout account. */
export interface Earner {
  uid: number;
  account: string;
  /** The received orders that paid the member. */
  orders: number[];
}

/** Lets commission mature when its order is received. */
export async function holdNothing(store: Store): Promise<void> {
  await store.sql`select from app.create_plan('{"holding_days": 0}', null, clock_timestamp())`;
}

/** A member who can withdraw the commission of an order: 720.00, or 1,080.00 or 1,800.00 at later places. */
export async function earner(store: Store, orders = 1): Promise<Earner> {
  const uid = await store.reporter();
  const earned: number[] = [];
  for (let count = 0; count < orders; count += 1) {
    const id = await store.buy(await store.signUp(uid));
    await store.settle(id);
    await store.sql`select from app.confirm_receipt(${id}, clock_timestamp())`;
    earned.push(id);
  }
  const [account] =
    await store.sql`select id from app.add_payout_account(${uid}, 'bank', 'Payee', '6222021234567894', 'Bank', clock_timestamp())`;
  return { uid, account: account!.id, orders: earned };
}

export const request = (sql: postgres.Sql, { uid, account }: Pick<Earner, "uid" | "account">, amount: number) =>
  sql`select id from app.request_withdrawal(${uid}, ${amount}, 'bank', ${account}, null)`;

/** A withdrawal to WeChat. */
export interface Transfer {
  id: string;
  no: string;
}

/** An approved withdrawal of a member to WeChat. */
export async function approvedTransfer({ sql }: Store, uid: number, amount = 100): Promise<Transfer> {
  await sql`update app.settings set withdrawal_methods = '{bank, wechat}'`;
  await sql`insert into app.wechat_accounts (appid, openid, auth_id) select 'app', 'openid ' || uid, auth_id from app.users where uid = ${uid} on conflict do nothing`;
  const [withdrawal] = await sql<Transfer[]>`
    select a.id, a.withdrawal_no as no from app.request_withdrawal(${uid}, ${amount}, 'wechat', null, null) as w cross join lateral app.approve_withdrawal(w, null) as a`;
  return withdrawal!;
}

/** Begins a run of the worker, which may have told WeChat to pay. @returns null if the withdrawal has ended */
export const beginTransfer = async (sql: postgres.Sql, { no }: Transfer) =>
  (await sql`select app.begin_transfer(${no}, 'merchant', null) as terms`)[0]!.terms as object | null;

/** What the worker hears from WeChat. */
export const hear = (sql: postgres.Sql, { no }: Transfer, state: string) =>
  sql`select from app.record_transfer_state(${no}, ${state}, null, null, null, null)`;

/** What WeChat reports by a notification. */
export const notify = (sql: postgres.Sql, { id }: Transfer, state: string) => sql`
  select r.* from app.withdrawals as w join app.transfers as t on t.withdrawal_id = w.id
  cross join lateral app.record_transfer_notification('wechat', 'event ' || w.id, w.withdrawal_no, t.openid, w.amount - w.fee, ${state}, null, null, null) as r
  where w.id = ${id}`;

export const approve = (sql: postgres.Sql, id: string) =>
  sql`select from app.move_withdrawal(app.lock_withdrawal(${id}), 'approved', null)`;

export const end = (sql: postgres.Sql, id: string, state: string) =>
  sql`select from app.move_withdrawal(app.lock_withdrawal(${id}), ${state}, null, ${state === "paid" ? null : "No"})`;

/** Withdrawals of different members. */
export async function approved(store: Store, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const id = (await request(store.sql, await earner(store), 100))[0]!.id as string;
    await approve(store.sql, id);
    ids.push(id);
  }
  return ids;
}

export const messages = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) => (result.status === "rejected" ? [(result.reason as Error).message] : []));

/** The findings about money. The tests release points of single members, without the run of the day. */
export const findings = async (store: Store) =>
  (await store.findings()).filter((finding) => !/release|job/.test(JSON.stringify(finding)));
