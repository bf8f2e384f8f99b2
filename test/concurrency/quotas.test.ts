import type postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
  await store.sql`update app.settings set orders_per_hour = 3, cancellations_per_hour = 3, keys_per_hour = 3, profile_changes_per_hour = 3, posters_per_hour = 3`;
});
afterAll(() => store.close());

/** A call for a member. */
type Call = (sql: postgres.Sql, claims: string, uid: number) => Promise<unknown>;
const asMember = async (sql: postgres.Sql, claims: string, name: string, args: object, key: string | null = null) =>
  sql`select app.as_caller(${claims}::text::jsonb, ${name}, ${JSON.stringify(args)}::text::jsonb, ${key})`;

// Guarantee money/quotas: No member exceeds a quota, however many requests come at once
// By: a locked count by member and kind, app.use_quota
it.each<[string, Call]>([
  [
    "orders",
    async (sql, claims) => {
      const [product] = await sql`select id::integer from app.products`;
      return asMember(sql, claims, "create_order", { p_items: [{ product_id: product!.id, quantity: 1 }] });
    },
  ],
  [
    "cancellations",
    async (sql, claims, uid) => asMember(sql, claims, "cancel_order", { p_order_id: await store.order(uid) }),
  ],
  [
    "keys",
    (sql, claims) =>
      asMember(
        sql,
        claims,
        "create_address",
        { p_address: { name: "Lin", phone: "13800000000", region: ["Guangdong"], street: "Road" } },
        crypto.randomUUID(),
      ),
  ],
  ["profile changes", (sql, claims) => asMember(sql, claims, "set_me", { p_nickname: "Lin" })],
])("eight %s of a member at the same time do not exceed a quota of three", async (_name, act) => {
  const uid = await store.signUp();
  const [member] = await store.sql`select auth_id from app.users where uid = ${uid}`;
  const claims = JSON.stringify({ role: "authenticated", sub: member!.auth_id });
  const results = await store.together(Array.from({ length: 8 }, () => (sql: postgres.Sql) => act(sql, claims, uid)));
  const rejected = results.filter((result): result is PromiseRejectedResult => result.status === "rejected");
  expect(rejected.map(({ reason }) => reason.message)).toEqual(Array(5).fill("too_many_requests"));
  expect(await store.deadlocks()).toBe(0);
});

// Guarantee money/poster: A poster is drawn once, however many ask for it
// By: one claim at a time, api.claim_drawing
it("one of eight that want to draw a poster at the same time may", async () => {
  const [poster] =
    await store.sql`select token from app.save_poster(${await store.signUp()}, 0, '1', null, null, clock_timestamp())`;
  const results = await store.together(
    Array.from({ length: 8 }, () => (sql: postgres.Sql) => sql`select api.claim_drawing(${poster!.token}) as drawing`),
  );
  const claimed = results.map((result) =>
    result.status === "fulfilled" ? result.value[0]!.drawing !== null : result.reason,
  );
  expect(claimed.sort()).toEqual([...Array(7).fill(false), true]);
});
