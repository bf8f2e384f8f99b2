import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messages } from "./earners.ts";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
  await store.sql`grant store_api to postgres`;
});
afterAll(() => store.close());

const ADDRESS = { name: "Lin Canary", phone: "13800000000", region: ["Guangdong"], street: "Canary Road 1" };

/** What a member can enter: the function and its arguments. */
const WRITES: [what: string, name: string, args: object][] = [
  ["a payout account", "create_account", { p_method: "alipay", p_holder: "Canary", p_account_no: "13800000000" }],
  ["an address", "create_address", { p_address: ADDRESS }],
  [
    "an order with an address",
    "create_order",
    { p_items: [{ product_id: 0, quantity: 1 }], p_address: ADDRESS, p_remark: "Canary" },
  ],
  ["a nickname", "set_me", { p_nickname: "Canary" }],
];

interface Member {
  uid: number;
  account: string;
}

async function signUp(): Promise<Member> {
  const uid = await store.signUp();
  const [row] = await store.sql`select auth_id from app.users where uid = ${uid}`;
  return { uid, account: row!.auth_id };
}

async function write(sql: postgres.Sql, { account }: Member, name: string, args: object): Promise<unknown> {
  const [product] = await store.sql`select max(id)::int as id from app.products`;
  const json = JSON.parse(JSON.stringify(args).replace('"product_id":0', `"product_id":${product!.id}`));
  return sql`select app.as_caller(${sql.json({ role: "authenticated", sub: account })}, ${name}, ${sql.json(json)}, ${account})`;
}

const remove = (sql: postgres.Sql, { account }: Member) => sql`delete from auth.users where id = ${account}`;

/** The tables in which something that the member entered is left. */
async function traces({ uid, account }: Member): Promise<string[]> {
  const rows = await store.sql`
    select 'users' as name from app.users as u where u.uid = ${uid} and u.nickname <> '已注销 · Deleted member'
    union all select 'addresses' from app.addresses as a where a.uid = ${uid}
    union all select 'payout_accounts' from app.payout_accounts as a where a.uid = ${uid}
    union all select 'orders' from app.orders as o where o.uid = ${uid} and (o.address is not null or o.remark <> '')
    union all select 'idempotency_keys' from app.idempotency_keys as k where k.auth_id = ${account}`;
  return rows.map(({ name }) => name as string);
}

describe("a member who is being deleted", () => {
  // Guarantee privacy/deleted-meanwhile: A request during the deletion of its member leaves nothing personal
  // By: the member is looked up again after each write, app.call_api
  it.each(WRITES)("is not given %s by a request that waits for the deletion", async (_what, name, args) => {
    const member = await signUp();
    const remover = store.connection();
    await remover`begin`;
    await remove(remover, member);
    const written = Promise.allSettled([write(store.sql, member, name, args)]);
    await store.untilWaiting(1);
    await remover`commit`;
    await remover.end();
    expect(messages(await written)).toEqual(["unauthenticated"]);
    expect(await traces(member)).toEqual([]);
  });

  // Guarantee privacy/deleted-meanwhile
  it.each(WRITES)("loses %s that a request is writing", async (_what, name, args) => {
    const member = await signUp();
    const writer = store.connection();
    await writer`begin`;
    await write(writer, member, name, args);
    const removed = Promise.allSettled([remove(store.sql, member)]);
    await store.untilWaiting(1);
    await writer`commit`;
    await writer.end();
    expect(messages(await removed)).toEqual([]);
    expect(await traces(member)).toEqual([]);
  });
});

/** As the member asks for the deletion, without the check of the session. */
const leave = (sql: postgres.Sql, { uid }: Member) => sql`
  select app.request_deletion(b.uid, b.brokerage_price, b.frozen_points, b.available_points, null) from app.user_balances as b where b.uid = ${uid}`;
const runJob = (sql: postgres.Sql, { uid }: Member) =>
  sql`select app.delete_account_if_due(${uid}, clock_timestamp() + interval '8 days') as deleted`;
const keep = (sql: postgres.Sql, member: Member) => write(sql, member, "cancel_deletion", {});

/** Runs a second act while a first one is not committed. @returns the results of the second */
async function whileOpen(
  first: (sql: postgres.Sql) => Promise<unknown>,
  second: (sql: postgres.Sql) => Promise<unknown>,
) {
  const open = store.connection();
  await open`begin`;
  await first(open);
  const results = Promise.allSettled([second(store.sql)]);
  await store.untilWaiting(1);
  await open`commit`;
  await open.end();
  return results;
}

describe("a member who leaves", () => {
  /** What moves money or goods: the function, its arguments, and what the member needs for it. */
  const ACTS: [what: string, name: string, args: object][] = [
    ["an order", "create_order", { p_items: [{ product_id: 0, quantity: 1 }] }],
    ["a withdrawal", "create_withdrawal", { p_amount: "50.00", p_method: "alipay", p_account_id: 0 }],
  ];

  async function owner(): Promise<{ member: Member; args: (given: object) => object }> {
    const member = await signUp();
    await store.sql`select app.create_adjustment(${member.uid}, 100, null, null, 'Test', null, null)`;
    const [account] =
      await store.sql`select (app.add_payout_account(${member.uid}, 'alipay', 'Lin', '13800000000', null, null)).id::int as id`;
    return { member, args: (given) => ({ ...given, ...("p_account_id" in given && { p_account_id: account!.id }) }) };
  }

  // Guarantee privacy/leaving-meanwhile: A member who leaves neither orders nor withdraws. An order or a withdrawal
  // that is there refuses the request to leave
  // By: the same locks, app.reject_leaving
  it.each(ACTS)("is refused %s that waits for the request", async (_what, name, given) => {
    const { member, args } = await owner();
    const written = await whileOpen(
      (sql) => leave(sql, member),
      (sql) => write(sql, member, name, args(given)),
    );
    expect(messages(written)).toEqual(["account_leaving"]);
  });

  // Guarantee privacy/leaving-meanwhile
  it.each(ACTS)("waits for %s that is being made, which refuses the request", async (_what, name, given) => {
    const { member, args } = await owner();
    const asked = await whileOpen(
      (sql) => write(sql, member, name, args(given)),
      (sql) => leave(sql, member),
    );
    expect(messages(asked)).toEqual(["deletion_not_possible"]);
    expect(await store.sql`select from app.account_deletions where uid = ${member.uid}`).toHaveLength(0);
  });

  // Guarantee privacy/leaving-meanwhile
  it("is deleted or stays, if the job and the member who keeps the account meet", async () => {
    const gone = (await owner()).member;
    await leave(store.sql, gone);
    expect(
      messages(
        await whileOpen(
          (sql) => runJob(sql, gone),
          (sql) => keep(sql, gone),
        ),
      ),
    ).toEqual(["unauthenticated"]);

    const kept = (await owner()).member;
    await leave(store.sql, kept);
    const [run] = await whileOpen(
      (sql) => keep(sql, kept),
      (sql) => runJob(sql, kept),
    );
    expect(run).toMatchObject({ status: "fulfilled", value: [{ deleted: false }] });
    expect(await store.sql`select brokerage_price from app.user_balances where uid = ${kept.uid}`).toEqual([
      { brokerage_price: "100.00" },
    ]);
  });

  it("is given nothing by an adjustment that waits for the deletion, and gives up one that is being booked", async () => {
    const adjust = (sql: postgres.Sql, { uid }: Member) =>
      sql`select from app.create_adjustment(${uid}, 5, 5, 5, 'Test', null, null)`;
    const [late, early] = [(await owner()).member, (await owner()).member];
    await Promise.all([leave(store.sql, late), leave(store.sql, early)]);
    const refused = await whileOpen(
      (sql) => runJob(sql, late),
      (sql) => adjust(sql, late),
    );
    expect(messages(refused)).toEqual(["adjustment_state_conflict"]);
    const [run] = await whileOpen(
      (sql) => adjust(sql, early),
      (sql) => runJob(sql, early),
    );
    expect(run).toMatchObject({ status: "fulfilled", value: [{ deleted: true }] });
    const nothing = { brokerage_price: "0.00", frozen_points: "0.0000", available_points: "0.0000" };
    for (const { uid } of [late, early]) expect(await store.balances(uid)).toMatchObject(nothing);
  });

  it("is left to the next run by the job while Auth has locked the account, so that neither waits for the other", async () => {
    const { member } = await owner();
    await leave(store.sql, member);
    const auth = store.connection();
    await auth`begin`;
    await auth`select from auth.users where id = ${member.account} for update`;
    expect(await runJob(store.sql, member)).toEqual([{ deleted: false }]);
    await auth`rollback`;
    await auth.end();
    expect(await runJob(store.sql, member)).toEqual([{ deleted: true }]);
  });

  it("waits for a settlement that pays them, and leaves after it", async () => {
    const referrer = await signUp();
    await store.settle(await store.buy(referrer.uid));
    const order = await store.buy(await store.signUp(referrer.uid));
    await whileOpen(
      (sql) => sql`select app.settle_order(${order}, clock_timestamp())`,
      (sql) => remove(sql, referrer),
    );
    const [row] = await store.sql`
      select s.earner_uid::integer as earner, u.left_position > s.position as is_after from app.settlements as s join app.users as u on u.uid = s.earner_uid where s.order_id = ${order}`;
    expect(row).toEqual({ earner: referrer.uid, is_after: true });
    const next = await store.buy(
      (await store.sql`select uid::integer from app.users where spread_uid = ${referrer.uid}`)[0]!.uid,
    );
    await store.settle(next);
    expect((await store.sql`select reason from app.settlements where order_id = ${next}`)[0]).toEqual({
      reason: "referrer_left",
    });
  });

  it("has nobody join below them by a sign-up that waits for the leaving", async () => {
    const referrer = await signUp();
    const late = randomUUID();
    const results = await whileOpen(
      (sql) => remove(sql, referrer),
      (sql) => sql`
        insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
        values (${late}, ${`${late}@example.com`}, now(), ${sql.json({ spread: String(referrer.uid) })})`,
    );
    expect(messages(results)).toEqual([]);
    expect(await store.sql`select spread_uid from app.users where auth_id = ${late}`).toEqual([{ spread_uid: null }]);
  });

  // Guarantee privacy/leaving-meanwhile
  it("is deleted once by jobs that run at the same time, with one adjustment", async () => {
    const { member } = await owner();
    await leave(store.sql, member);
    const runs = await store.together(Array.from({ length: 4 }, () => (sql: postgres.Sql) => runJob(sql, member)));
    const deleted = runs.map((each) => (each.status === "fulfilled" ? each.value[0]!.deleted : String(each.reason)));
    expect(deleted.filter((each) => each !== false)).toEqual([true]);
    expect(await store.sql`select from app.adjustments where uid = ${member.uid} and brokerage_delta < 0`).toHaveLength(
      1,
    );
  });
});
