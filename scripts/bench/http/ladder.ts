// Measures the cost of the parts of an edge function without the logic of the store, step by step ("rungs"). Deno
// serves it like the edge functions, with the same packages, tokens and driver.
import { env } from "node:process";
import { Hono } from "hono";
import postgres from "postgres";
import { createAuthentication } from "../../../functions/_shared/access/authentication.ts";
import { type Claims, openDatabase } from "../../../functions/_shared/database/database.ts";
import { BARE_READS } from "./bare_reads.ts";
import type { UntypedDatabase } from "../../testing/untyped_database.ts";

const url = env.STORE_DB_URL ?? "";
const pool = 4;
const sql = postgres(url, { max: pool, fetch_types: false });
const database: UntypedDatabase = openDatabase({ url, pool, prepare: true, applicationName: "ladder" });
const { authenticate } = createAuthentication({
  issuer: "http://127.0.0.1/auth/v1",
  jwksUrl: new URL("http://127.0.0.1"),
  sharedSecret: env.STORE_JWT_SECRET,
});

const app = new Hono<{ Variables: { claims: Claims } }>();

app.get("/ladder/hello", (c) => c.json({ hello: "world" }));

app.use(async (c, next) => {
  c.set("claims", await authenticate(c.req.header("authorization")));
  await next();
});

app.get("/ladder/token", (c) => c.json({ hello: "world" }));

app.get("/ladder/select", async (c) => {
  const [row] =
    await sql`select uid::text, frozen_points::text, available_points::text from app.user_balances where uid = 1`;
  return c.json(row);
});

for (const [name, statement] of Object.entries(BARE_READS)) {
  app.get(`/ladder/${name}`, async (c) => {
    const [row] = await sql.unsafe(statement, statement.includes("$1") ? [String(c.get("claims").sub)] : [], {
      prepare: true,
    });
    return c.body(String(row?.result), 200, { "content-type": "application/json" });
  });
}

app.get("/ladder/role", async (c) =>
  c.body(await database.callAsCaller(c.get("claims"), "bench_select", {}), 200, { "content-type": "application/json" }),
);

app.post("/ladder/insert", async (c) => {
  const { uid } = await c.req.json<{ uid: number }>();
  const [row] = await sql`
    with placed as (
      insert into app.orders (order_no, uid, total_price, pay_price, has_queue_goods, queue_base, queue_units)
      values ('bare-' || nextval('bench.next_order'), ${uid}, 3600, 3600, true, 3600, 1)
      returning id, order_no
    ),
    line as (
      insert into app.order_lines (order_id, product_id, title, price, quantity, paid, is_queue_goods)
      select p.id, 1, 'Flagship', 3600, 1, 3600, true from placed as p
    )
    select p.id::text, p.order_no from placed as p`;
  return c.json(row, 201);
});

export default { fetch: app.fetch };
