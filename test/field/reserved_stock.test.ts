import type postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, call, copyAccounts, expectProblem, signUp, signUpAdmin } from "../api/client.ts";
import { type ClonedDatabase, cloneDatabase, connect, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";

// Stock that unpaid orders take off sale. Elsewhere: PrestaShop/PrestaShop#19100 (69 units of a product held by
// payments that never came), woocommerce/woocommerce#36454 and #20596 (pending orders hold what is for sale),
// shopperlabs/shopper#607 (nobody gives it back), woocommerce/woocommerce#67354 (a shopper is stopped by their own
// reservation).

let clone: ClonedDatabase;
let sql: postgres.Sql;
let api: EdgeFunction;
let adminapi: EdgeFunction;
let admin: Account;
let members: Account[];

const ask = (method: string, path: string, token: string, json?: object, base = api.base) =>
  call(method, path, { base, token, ...(json && { json }) });

async function product(stock: number | null, title = "Limited"): Promise<number> {
  const [row] =
    await sql`insert into app.products (title, price, stock, is_show) values (${title}, 10, ${stock}, true) returning id::integer`;
  return row!.id;
}
const order = (who: Account, ...items: [product: number, quantity: number][]) =>
  ask("POST", "/api/order", who.token, { items: items.map(([product_id, quantity]) => ({ product_id, quantity })) });
const stockOf = async (id: number) =>
  (await sql`select stock::integer from app.products where id = ${id}`)[0]!.stock as number;
const minutesTo = (reply: { body: { add_time: string; expires_at: string } }) =>
  (Date.parse(reply.body.expires_at) - Date.parse(reply.body.add_time)) / 60_000;
/** A payment that arrives. */
const pay = (id: number) => sql`select app.pay_order(${id}, 'test', ${`paid-${id}`}, now())`;

beforeAll(async () => {
  clone = await cloneDatabase();
  sql = connect(clone.url);
  let people: Account[];
  [api, adminapi, admin, ...people] = await Promise.all([
    serveEdgeFunction("api", clone.url, {}),
    serveEdgeFunction("adminapi", clone.url, {}),
    signUpAdmin("Chief"),
    ...Array.from({ length: 4 }, (_, place) => signUp(`Buyer ${place}`)),
  ]);
  members = people;
  await copyAccounts(sql, admin, ...members);
  await sql`select app.add_administrator(${admin.email}, '{owner}', 'Chief')`;
});
beforeEach(async () => {
  await sql`update app.settings set max_unpaid_units = default, max_unpaid_share = default, first_order_minutes = default, orders_per_hour = 1000, max_unpaid_orders = 100`;
  const open = await sql`select id from app.orders where state = 'unpaid'`;
  for (const { id } of open) await sql`select app.cancel_order(${id}, now())`;
});
afterAll(async () => {
  await Promise.all([api?.stop(), adminapi?.stop()]);
  await sql?.end();
  await clone?.drop();
});

describe("a member who has not paid", { concurrent: false }, () => {
  // Guarantee money/stock-limit: The unpaid orders of a member, concurrent ones too, hold no more limited stock than
  // the settings allow. Those of a member who has never paid hold it for minutes
  // By: app.limit_unpaid_units, app.first_order_ends_at
  it("at most 20 units of all goods, in one order or in many", async () => {
    const [buyer] = members as [Account];
    const goods = await Promise.all([500, 500, 500].map((stock) => product(stock)));
    expectProblem(await order(buyer, ...goods.map((id): [number, number] => [id, 7])), "too_many_unpaid_units");
    expectProblem(await order(buyer, ...goods.map((id): [number, number] => [id, 500])), "too_many_unpaid_units");
    expect(await Promise.all(goods.map(stockOf))).toEqual([500, 500, 500]);
    expect((await order(buyer, [goods[0]!, 15])).status).toBe(201);
    expectProblem(await order(buyer, [goods[1]!, 6]), "too_many_unpaid_units");
    const last = await order(buyer, [goods[1]!, 5]);
    expect(last.status).toBe(201);
    expectProblem(await order(buyer, [goods[2]!, 1]), "too_many_unpaid_units");

    // What is cancelled or paid holds nothing any more.
    expect((await ask("PUT", `/api/order/${last.body.id}/cancel`, buyer.token)).status).toBe(200);
    const paid = await order(buyer, [goods[2]!, 5]);
    expect(paid.status).toBe(201);
    await pay(paid.body.id);
    expect((await order(buyer, [goods[1]!, 5])).status).toBe(201);
  });

  it.each([
    [500, 20],
    [100, 10],
    [59, 5],
    [20, 2],
    [19, 1],
    [5, 1],
    [1, 1],
  ])("of a stock of %i at most %i, and what the own orders hold counts as stock", async (stock, most) => {
    const [buyer, other] = members as [Account, Account];
    const id = await product(stock);
    if (most < stock) expectProblem(await order(buyer, [id, most + 1]), "too_many_unpaid_units");
    // Two items of the same product are one.
    if (most < stock) expectProblem(await order(buyer, [id, most], [id, 1]), "too_many_unpaid_units");
    if (most > 1) expect((await order(buyer, [id, most - 1])).status).toBe(201);
    expect((await order(buyer, [id, 1])).status).toBe(201);
    expectProblem(await order(buyer, [id, 1]), most < stock ? "too_many_unpaid_units" : "out_of_stock");
    if (most < stock) expect((await order(other, [id, 1])).status).toBe(201);
  });

  it("as many as they like of goods without a limit, and of others what the settings say", async () => {
    const [buyer] = members as [Account];
    const [unlimited, limited] = [await product(null), await product(30)];
    expect((await order(buyer, [unlimited, 500])).status).toBe(201);
    expect((await order(buyer, [limited, 3])).status).toBe(201);
    const settings = { max_unpaid_units: 25, max_unpaid_share: 1 };
    expect((await ask("PUT", "/adminapi/system/settings", admin.token, settings, adminapi.base)).body).toMatchObject(
      settings,
    );
    expectProblem(await order(buyer, [limited, 23]), "too_many_unpaid_units");
    expect((await order(buyer, [limited, 22])).status).toBe(201);
    await sql`update app.settings set max_unpaid_share = 0`;
    expectProblem(await order(buyer, [limited, 1]), "too_many_unpaid_units");
    expect((await order(buyer, [await product(9), 1])).body.code ?? "placed").toBe("too_many_unpaid_units");
    expect((await order(members[1]!, [await product(9), 1])).status).toBe(201);
  });

  // Guarantee money/stock-limit
  it("never more than the settings allow, however many orders come at once", async () => {
    const [buyer] = members as [Account];
    const id = await product(100);
    const replies = await Promise.all(Array.from({ length: 12 }, () => order(buyer, [id, 3])));
    expect(replies.filter(({ status }) => status === 201).length).toBe(3);
    for (const reply of replies.filter(({ status }) => status !== 201)) expectProblem(reply, "too_many_unpaid_units");
    expect(await stockOf(id)).toBe(91);
  });

  it("reads why, and what to do, in both languages", async () => {
    const [buyer] = members as [Account];
    const id = await product(50);
    const refusal = async (language: string) =>
      (
        await call("POST", "/api/order", {
          base: api.base,
          token: buyer.token,
          json: { items: [{ product_id: id, quantity: 6 }] },
          init: { headers: { "accept-language": language } },
        })
      ).body;
    expect((await refusal("en")).detail).toBe(
      `A member can have at most 5 unpaid units of product ${id} now. Order fewer, or pay or cancel an unpaid order first.`,
    );
    expect((await refusal("zh")).detail).toBe(
      `每位会员目前最多可有 5 件未付款的商品 ${id}。请减少数量，或先支付或取消一笔未付款订单。`,
    );
    expectProblem(await order(buyer, [id, 51]), "out_of_stock");
  });
});

describe("an order that holds a limited stock", { concurrent: false }, () => {
  const expire = (id: number, minutes: number) =>
    sql`select app.expire_order(${id}, now() + make_interval(mins => ${minutes})) as expired`.then(
      ([row]) => row!.expired as boolean,
    );

  // Guarantee money/stock-limit
  it("expires after 30 minutes if its buyer has never paid", async () => {
    const buyer = members[2]!;
    const id = await product(50);
    const placed = await order(buyer, [id, 5]);
    expect(minutesTo(placed)).toBe(30);
    expect(
      (await sql`select ${placed.body.id} = any (app.expired_orders(now() + interval '31 minutes')) as found`)[0]!
        .found,
    ).toBe(true);
    expect(await expire(placed.body.id, 29)).toBe(false);
    expect(await expire(placed.body.id, 31)).toBe(true);
    expect(await stockOf(id)).toBe(50);
    await sql`update app.settings set first_order_minutes = 120`;
    expect(minutesTo(await order(buyer, [id, 5]))).toBe(120);
    expect(minutesTo(await order(buyer, [await product(null), 5]))).toBe(7 * 24 * 60);
  });

  it("waits for an offline payment for days if its buyer has paid before, or an administrator has marked it", async () => {
    const buyer = members[3]!;
    const id = await product(50);
    const marked = await order(buyer, [id, 2]);
    await sql`update app.settings set offline_payment_limit = 1`;
    await sql`select app.add_administrator(${members[0]!.email}, '{finance}', 'Second')`;
    expect((await ask("PUT", `/adminapi/order/${marked.body.id}/pay`, admin.token, {}, adminapi.base)).body.state).toBe(
      "unpaid",
    );
    expect(await expire(marked.body.id, 60)).toBe(false);
    await pay(marked.body.id);
    expect(minutesTo(await order(buyer, [id, 2]))).toBe(7 * 24 * 60);
    await sql`update app.settings set offline_payment_limit = default`;
    await sql`select app.remove_administrator(${members[0]!.email})`;
  });

  it("keeps its time if it costs nothing, or was placed before the store had this limit", async () => {
    const id = await product(50);
    const { body } = await order(members[2]!, [id, 1]);
    const endsAt = async (change: string) =>
      (
        await sql.unsafe(
          `select app.first_order_ends_at(jsonb_populate_record(o, jsonb_build_object(${change}))) as ends_at from app.orders as o where o.id = ${body.id}`,
        )
      )[0]!.ends_at as Date | null;
    expect(await endsAt("")).toBeInstanceOf(Date);
    expect(await endsAt("'pay_price', 0")).toBe(null);
    const before =
      "(select v.applied_at - interval '1 second' from app.schema_versions as v where v.version = '2.0.0')";
    expect(await endsAt(`'add_time', ${before}`)).toBe(null);
    await sql`select app.cancel_order(${body.id}, now())`;
  });

  it("is not held longer by payments that begin one after the other", async () => {
    const buyer = members[2]!;
    const id = await product(50);
    const { body } = await order(buyer, [id, 5]);
    const attempt = async (minutes: number) =>
      (
        await sql`select (r.attempt).attempt_no as no from app.open_attempt(${body.id}, 'local', 'local', null, now() + make_interval(mins => ${minutes})) as r`
      )[0]!.no as string;
    const first = await attempt(29);
    expect(await expire(body.id, 45)).toBe(false);
    expect(await attempt(45)).toBe(first);
    await sql`select app.end_attempt(${first}, 'closed', null, now() + interval '59 minutes')`;
    await expect(attempt(60)).rejects.toThrow("order_state_conflict");
    expect(await expire(body.id, 60)).toBe(true);
    expect(await stockOf(id)).toBe(50);
  });
});

describe("the signal of reserved stock", { concurrent: false }, () => {
  const signals = async () =>
    (await ask("GET", "/adminapi/signal?kind=reserved_stock&limit=100", admin.token, undefined, adminapi.base)).body
      .list;

  it("shows what several members hold together, and ends with it", async () => {
    const [one, two, three] = members as [Account, Account, Account];
    const [much, little] = [await product(100, "Much"), await product(500, "Little")];
    const orders = [await order(one, [much, 9]), await order(two, [much, 8]), await order(three, [little, 20])];
    for (const { status } of orders) expect(status).toBe(201);
    expect((await signals()).filter(({ title }: { title: string }) => ["Much", "Little"].includes(title))).toEqual([
      {
        kind: "reserved_stock",
        product_id: much,
        title: "Much",
        stock: 83,
        units: 17,
        orders: 2,
        members: 2,
        first_members: expect.arrayContaining([
          expect.objectContaining({ nickname: expect.any(String), uid: expect.any(Number) }),
        ]),
        oldest_at: expect.any(String),
      },
    ]);
    for (const { body } of orders.slice(0, 2)) await pay(body.id);
    expect((await signals()).map(({ title }: { title: string }) => title)).not.toContain("Much");
  });
});
