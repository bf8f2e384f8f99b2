import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ClonedDatabase, cloneDatabase, connect, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { type Account, accountIdOf, copyAccounts, signUpAdmin } from "./client.ts";

/** The most that a request ships. */
const MOST = 500;

let clone: ClonedDatabase;
let sql: postgres.Sql;
let served: EdgeFunction;
let admin: Account;
let lines: { line: number; order_no: string; carrier: string; tracking_no: string }[];

beforeAll(async () => {
  [clone, admin] = await Promise.all([cloneDatabase(), signUpAdmin("Packer of many")]);
  sql = connect(clone.url);
  await copyAccounts(sql, admin);
  await sql`update auth.users set role = 'store_admin' where id = ${accountIdOf(admin)}`;
  await sql`insert into app.administrators (auth_id, added_at) values (${accountIdOf(admin)}, now()) on conflict do nothing`;
  await sql`insert into app.products (title, price) values ('Tea', 10)`;
  await sql`insert into app.users (nickname) values ('Buyer of many')`;
  await sql`
    select app.pay_order((app.create_order(u.uid, jsonb_build_array(jsonb_build_object('product_id', p.id, 'quantity', 1)), now())).id, 'test', 'payment ' || n, now())
    from generate_series(1, ${MOST}::integer) as n
    cross join (select max(m.uid) as uid from app.users as m) as u cross join (select max(g.id) as id from app.products as g) as p`;
  const orders = await sql`select order_no from app.orders where state = 'paid' order by id`;
  // Parcels are written in the sequence of the orders: the second half is of another carrier.
  lines = orders.map(({ order_no }, at) => ({
    line: at + 2,
    order_no: order_no as string,
    carrier: at < MOST / 2 ? "SF" : "ZTO",
    tracking_no: `N${10000 + at}`,
  }));
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

const ship = (key?: string) =>
  fetch(`${served.base}/adminapi/shipping`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${admin.token}`,
      "content-type": "application/json",
      ...(key && { "idempotency-key": key }),
    },
    body: JSON.stringify({ lines }),
  });

const state = async () =>
  (
    await sql`
      select (select count(*)::integer from app.orders where state = 'delivered') as orders, (select count(*)::integer from app.parcels) as parcels,
        (select count(*)::integer from app.events where type in ('order.shipped', 'order.parcel_added')) as events,
        (select count(*)::integer from app.admin_actions where function = 'ship_orders') as actions`
  )[0];
const nothing = { orders: 0, parcels: 0, events: 0, actions: 0 };
const everything = { orders: MOST, parcels: MOST, events: MOST, actions: MOST };

// Guarantee money/shipping-once
it("500 orders whose request is killed in the middle are not shipped at all; repeated, each is shipped once, within the time limit of a statement", async () => {
  const key = randomUUID();
  for (const way of ["connection", "function"] as const) {
    // Holds the second carrier, so that the request waits after the first half of its parcels.
    const holder = connect(clone.url);
    await holder.unsafe("begin; select from app.carriers where code = 'ZTO' for update").simple();
    const interrupted = ship(key).then(
      ({ status }) => status,
      () => "no response",
    );
    const waiting = async () =>
      (
        await sql`
          select pid from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query ilike '%as_caller%'`
      )[0]?.pid as number | undefined;
    let pid = await waiting();
    while (pid === undefined) pid = await waiting();
    if (way === "connection") await sql`select pg_terminate_backend(${pid})`;
    else await served.stop();
    expect([503, "no response"]).toContain(await interrupted);
    // The server ends what nobody waits for when it writes the response, at the latest.
    if (way === "function") await sql`select pg_terminate_backend(${pid})`;
    await holder.end();
    while ((await sql`select from pg_stat_activity where pid = ${pid}`).length > 0) continue;
    expect(await state(), way).toEqual(nothing);
    if (way === "function") served = await serveEdgeFunction("adminapi", clone.url, {});
  }

  const first = await ship(key);
  expect([first.status, await first.json()]).toMatchObject([200, { fits: MOST, unchanged: 0, rejected: 0 }]);
  expect(await state()).toEqual(everything);
  expect(await (await ship(key)).json()).toMatchObject({ fits: MOST });
  expect(await state()).toEqual(everything);
  expect(await (await ship()).json()).toMatchObject({ fits: 0, unchanged: MOST, rejected: 0 });
  expect(
    await sql`select from app.orders as o where (select count(*) from app.parcels as p where p.order_id = o.id) <> 1`,
  ).toEqual([]);
  expect(await state()).toMatchObject({ orders: MOST, parcels: MOST, events: MOST });
  expect([...(await sql`select * from app.reconcile()`)]).toEqual([]);
});
