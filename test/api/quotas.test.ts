import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClonedDatabase, cloneDatabase, connect, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { type Account, call, copyAccounts, expectProblem, signUp } from "./client.ts";

let clone: ClonedDatabase;
let sql: postgres.Sql;
let functions: Record<"api" | "poster", EdgeFunction>;
let member: Account;

beforeAll(async () => {
  clone = await cloneDatabase();
  sql = connect(clone.url);
  member = await signUp("Busy");
  await copyAccounts(sql, member);
  await sql`insert into app.products (title, price) values ('Tea', 1)`;
  await sql`update app.settings set orders_per_hour = 2, cancellations_per_hour = 1, keys_per_hour = 3, profile_changes_per_hour = 1, posters_per_hour = 1`;
  const [api, poster] = await Promise.all([
    serveEdgeFunction("api", clone.url, {}),
    serveEdgeFunction("poster", clone.url, {}),
  ]);
  functions = { api, poster };
});
afterAll(async () => {
  await Promise.all(Object.values(functions ?? {}).map((served) => served.stop()));
  await sql?.end();
  await clone?.drop();
});

const send = (method: string, path: string, json?: object, headers: Record<string, string> = {}) =>
  call(method, path, { token: member.token, base: functions.api.base, init: { headers }, ...(json && { json }) });
const order = async (headers?: Record<string, string>) =>
  send(
    "POST",
    "/api/order",
    { items: [{ product_id: Number((await sql`select id from app.products`)[0]!.id), quantity: 1 }] },
    headers,
  );

describe("a member who does something more often than its quota allows", () => {
  it("gets 429 with the seconds to wait, and a sentence that says so in their language", async () => {
    const placed = [await order(), await order()];
    expect(placed.map(({ status }) => status)).toEqual([201, 201]);
    await sql`update app.used_quotas set began_at = began_at - interval '17 minutes' where kind = 'order'`;
    const rejected = await order();
    expectProblem(rejected, "too_many_requests");
    expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(42 * 60);
    expect(Number(rejected.headers.get("retry-after"))).toBeLessThanOrEqual(43 * 60);
    expect(rejected.body).toMatchObject({
      title: "This was done too often",
      detail: "You can place at most 2 orders in an hour. Try again in 43 minutes.",
    });
    expect((await order({ "accept-language": "zh-CN" })).body).toMatchObject({
      title: "操作过于频繁",
      detail: "每小时最多下单 2 次，请在 43 分钟后再试。",
    });

    const [first, second] = placed.map(({ body }) => body.id as number);
    expect((await send("PUT", `/api/order/${first}/cancel`)).status).toBe(200);
    expectProblem(await send("PUT", `/api/order/${second}/cancel`), "too_many_requests");
    expect((await send("PUT", "/api/user", { nickname: "Once" })).status).toBe(200);
    expectProblem(await send("PUT", "/api/user", { nickname: "Twice" }), "too_many_requests");
  });

  it("can place ten orders an hour that cost nothing", async () => {
    const guest = await signUp("Collector");
    await copyAccounts(sql, guest);
    const [gift] = await sql`insert into app.products (title, price) values ('Gift', 0) returning id::integer`;
    await sql`update app.settings set orders_per_hour = 60`;
    const json = { items: [{ product_id: gift!.id, quantity: 1 }] };
    const take = () => call("POST", "/api/order", { token: guest.token, base: functions.api.base, json });
    const placed = await Promise.all(Array.from({ length: 11 }, take));
    expect(placed.filter(({ status }) => status === 201).map(({ body }) => body.state)).toEqual(Array(10).fill("paid"));
    expectProblem(
      placed.find(({ status }) => status !== 201)!,
      "too_many_requests",
    );
    await sql`update app.settings set orders_per_hour = 2`;
  });

  it("can still repeat a request with its key, which counts once", async () => {
    const address = { name: "Lin", phone: "13800000000", region: ["Guangdong"], street: "Road" };
    const add = (key: string) => send("POST", "/api/address", address, { "idempotency-key": key });
    const created = [await add("one"), await add("two"), await add("three")];
    expect((await add("one")).body).toEqual(created[0]!.body);
    expectProblem(await add("four"), "too_many_requests");
    expect((await add("three")).body).toEqual(created[2]!.body);
  });

  it("gets no further picture of a poster drawn", async () => {
    const { body } = await send("GET", "/api/spread/poster");
    const file = new URL(body.image_url).pathname.split("/").at(-1)!;
    const picture = () => fetch(`${functions.poster.base}/poster/image/${file}`);
    const first = await picture();
    expect(first.status).toBe(200);
    await first.arrayBuffer();
    await expect.poll(async () => (await sql`select image is not null as drawn from app.posters`)[0]!.drawn).toBe(true);
    expect((await picture()).status).toBe(200);
    await sql`update app.posters set image = null, drawing_until = null`;
    const rejected = await call("GET", `/poster/image/${file}`, { base: functions.poster.base });
    expectProblem(rejected, "too_many_requests");
    expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(3500);
  });
});
