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
  ["an order with an address", "create_order", { p_items: [{ product_id: 0, quantity: 1 }], p_address: ADDRESS, p_remark: "Canary" }],
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
    select 'users' as name from app.users as u where u.uid = ${uid} and u.nickname <> 'Deleted member'
    union all select 'addresses' from app.addresses as a where a.uid = ${uid}
    union all select 'payout_accounts' from app.payout_accounts as a where a.uid = ${uid}
    union all select 'orders' from app.orders as o where o.uid = ${uid} and (o.address is not null or o.remark <> '')
    union all select 'idempotency_keys' from app.idempotency_keys as k where k.auth_id = ${account}`;
  return rows.map(({ name }) => name as string);
}

describe("a member who is being deleted", () => {
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
