import type postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ClonedDatabase, cloneDatabase, connect, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { type Account, accountIdOf, copyAccounts, signUpAdmin } from "./client.ts";

/** The most that a batch takes. */
const MOST = 10_000;

let clone: ClonedDatabase;
let sql: postgres.Sql;
let served: EdgeFunction;
let admin: Account;

beforeAll(async () => {
  [clone, admin] = await Promise.all([cloneDatabase(), signUpAdmin("Payer of many")]);
  sql = connect(clone.url);
  await copyAccounts(sql, admin);
  await sql`update auth.users set role = 'store_admin' where id = ${accountIdOf(admin)}`;
  await sql`insert into app.administrators (auth_id, added_at) values (${accountIdOf(admin)}, now()) on conflict do nothing`;
  // One more than a batch takes. A batch reads no balance, so these members have none.
  await sql`
    with members as (
      insert into app.users (nickname) select 'Payee ' || n from generate_series(1, ${MOST + 1}::integer) as n returning uid
    ),
    accounts as (
      insert into app.payout_accounts (uid, method, holder, account_no, bank, add_time)
      select m.uid, 'bank', 'Payee', '6222' || lpad(m.uid::text, 12, '0'), 'Bank', now() from members as m returning id, uid
    )
    insert into app.withdrawals (withdrawal_no, uid, method, account_id, account_hint, amount, fee, state, add_time, approved_at)
    select 'W' || lpad(a.uid::text, 16, '0'), a.uid, 'bank', a.id, 'Bank', 100, 0.6, 'approved', now(), now() from accounts as a`;
  // The limits of the role of the edge functions.
  const [limits] = await sql`select array_to_string(rolconfig, ',') as text from pg_roles where rolname = 'store_api'`;
  const database = new URL(clone.url).pathname.slice(1);
  for (const limit of (limits!.text as string).split(",").filter((text) => text.includes("_timeout=")))
    await sql.unsafe(`alter database "${database}" set ${limit.replace("=", " = '")}'`);
  served = await serveEdgeFunction("adminapi", clone.url, {});
});

afterAll(async () => {
  await served.stop();
  await sql.end();
  await clone.drop();
});

async function send(method: string, path: string, body?: object): Promise<Response> {
  const response = await fetch(`${served.base}${path}`, {
    method,
    headers: { authorization: `Bearer ${admin.token}`, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
  return response;
}

it("a batch of 10,000 withdrawals is created, its file has each once, and all are paid, within the time limit of a statement", async () => {
  const { id, withdrawals, amount } = (await (
    await send("POST", "/adminapi/withdrawal/batch", { method: "bank" })
  ).json()) as {
    id: number;
    withdrawals: number;
    amount: string;
  };
  expect([withdrawals, amount]).toEqual([MOST, "994000.00"]);

  const lines = (await (await send("GET", `/adminapi/withdrawal_batch/${id}`)).text()).trimEnd().split("\r\n").slice(1);
  expect(lines).toHaveLength(MOST);
  expect(new Set(lines.map((line) => line.split(",")[0])).size).toBe(MOST);

  const [{ id: failed } = {}] = await sql`select id from app.withdrawals where batch_id = ${id} order by id limit 1`;
  await sql`insert into app.user_balances (uid) select uid from app.withdrawals where id = ${failed} on conflict do nothing`;
  await send("PUT", `/adminapi/withdrawal/${failed}/failed`, { reason: "The account is closed." });
  expect(
    await (await send("PUT", `/adminapi/withdrawal_batch/${id}/paid`, { payment_ref: "statement 7" })).json(),
  ).toMatchObject({
    paying: 0,
    paid: MOST - 1,
    failed: 1,
  });

  expect(await (await send("POST", "/adminapi/withdrawal/batch", { method: "bank" })).json()).toMatchObject({
    withdrawals: 1,
    paying: 1,
  });
});
