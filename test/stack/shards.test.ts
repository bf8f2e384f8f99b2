import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Account, addProduct, call, expectProblem, routes, signUp, signUpAdmin } from "../api/client.ts";
import { as, buyAndSettle, place } from "../api/scenario.ts";
import { lacking } from "../support/context.ts";
import { connect, skipFor, stack, supabaseClient } from "../support/index.ts";
import { SHARDS, ShardedStack } from "../support/sharded_stack.ts";
import { unroutedRoutes } from "../support/unrouted.ts";

const sharded = new ShardedStack();
const shards: ReturnType<typeof connect>[] = [];
let admin: Account;
/** Members without a referrer, one on each shard, by its number. */
let roots: Account[];
let buyers: Account[];
let queueGoods: number;

const shardOf = (id: number) => id % SHARDS;

function openShards(): void {
  shards.splice(0, SHARDS, ...stack().shard_urls!.map((url) => connect(url)));
}

const closeShards = () => Promise.all(shards.map((sql) => sql.end()));

async function atHome<T>(work: (sql: ReturnType<typeof connect>) => PromiseLike<T>): Promise<T> {
  const sql = connect(stack().database_url);
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

/** Rows of all shards, with the number of the shard. */
async function onShards<Row extends object>(statement: string): Promise<(Row & { shard: number })[]> {
  const results = await Promise.all(shards.map((sql) => sql.unsafe(statement)));
  return results.flatMap((rows, shard) => rows.map((row) => ({ ...(row as Row), shard })));
}

skipFor(describe, lacking("plproxy"))("a store with shards", () => {
  beforeAll(async () => {
    await sharded.start();
    openShards();
    admin = await signUpAdmin("Office");
    const some: Account[] = [];
    for (let number = 0; number < 2; number += 1) some.push(await signUp(`Root ${number}`));
    roots = some.sort((a, b) => shardOf(a.uid) - shardOf(b.uid));
    queueGoods = await addProduct("Flagship package", "3600.00", true);
    await vi.waitFor(async () => expect(await onShards("select id from app.products")).toHaveLength(SHARDS), 10_000);
    buyers = await Promise.all(roots.flatMap((root, number) => [1, 2].map((each) => signUp(`Buyer ${number}.${each}`, root.uid))));
  }, 300_000);
  afterAll(async () => {
    await closeShards();
    await sharded.remove();
  });

  it("signs members up on the shard of their referrer, and others in turn", async () => {
    expect(roots.map(({ uid }) => shardOf(uid))).toEqual([0, 1]);
    expect(buyers.map(({ uid }) => shardOf(uid))).toEqual([0, 0, 1, 1]);
    for (const [index, buyer] of buyers.entries())
      expect((await as(buyer).get("/api/user")).body).toMatchObject({ uid: buyer.uid, spread_uid: roots[index >> 1]!.uid });
    const found = await onShards<{ uid: string }>("select uid from app.users");
    expect(found.map(({ uid, shard }) => [Number(uid) % SHARDS, shard]).filter(([wanted, shard]) => wanted !== shard)).toEqual([]);
    expect(await atHome((sql) => sql`select uid from app.users`)).toEqual([]);
  });

  it("shows products to visitors and members", async () => {
    const { body } = await call("GET", "/api/product");
    expect(body.list).toMatchObject([{ id: queueGoods, price: "3600.00" }]);
    for (const root of roots) expect((await as(root).get(`/api/product/${queueGoods}`)).body).toMatchObject({ id: queueGoods });
  });

  it("takes an order from its placement to its settlement, on both shards", async () => {
    for (const [number, root] of roots.entries()) {
      const own = await buyAndSettle(root, admin, queueGoods);
      expect(shardOf(own.order_id)).toBe(number);
      await buyAndSettle(buyers[number * 2]!, admin, queueGoods);
      expect((await as(root).get("/api/hjf/assets/overview")).body).toMatchObject({
        brokerage_price: "720.00",
        frozen_points: 720,
        progress: { cycle_no: 1, cycle_current: 1, total_brokerage: "720.00" },
      });
    }
  });

  it("pays an order at a provider, whose notification finds the shard by the number of the attempt", async () => {
    for (const [number, root] of roots.entries()) {
      const buyer = buyers[number * 2 + 1]!;
      const { id } = await place(buyer, queueGoods);
      const started = await as(buyer).post(`/api/order/${id}/pay`, { provider: "local", method: "local" });
      expect(started.status).toBe(200);
      await fetch(started.body.start.url, { method: "POST", body: new URLSearchParams({ choice: "pay" }) }).then((response) =>
        response.body?.cancel(),
      );
      await vi.waitFor(async () => expect((await as(buyer).get(`/api/order/${id}`)).body.state).toBe("paid"), 10_000);
      await vi.waitFor(async () => expect((await as(root).get("/api/hjf/assets/overview")).body.brokerage_price).toBe("1800.00"), 10_000);
    }
  });

  it("ships, receives and refunds an order", async () => {
    const [buyer] = buyers;
    const { order_id } = await buyAndSettle(buyer!, admin, queueGoods);
    expect((await as(admin).put(`/adminapi/order/${order_id}/deliver`)).status).toBe(200);
    expect((await as(buyer!).put(`/api/order/${order_id}/receive`)).body.state).toBe("received");
    const before = (await as(roots[0]!).get("/api/hjf/assets/overview")).body.brokerage_price;
    expect((await as(admin).put(`/adminapi/order/${order_id}/refund`)).status).toBe(200);
    const after = (await as(roots[0]!).get("/api/hjf/assets/overview")).body.brokerage_price;
    expect(Number(before) - Number(after)).toBe(1800);
  });

  it("releases points on each shard", async () => {
    const before = await Promise.all(roots.map(async (root) => (await as(root).get("/api/hjf/assets/overview")).body));
    for (const sql of shards) await sql`call app.release_frozen_points()`;
    for (const [number, root] of roots.entries()) {
      const { frozen_points, available_points, today_release } = (await as(root).get("/api/hjf/assets/overview")).body;
      expect(today_release).toBeCloseTo(before[number].frozen_points * 0.0004, 4);
      expect(available_points).toBe(today_release);
      expect(frozen_points).toBeCloseTo(before[number].frozen_points - today_release, 4);
    }
  });

  it("merges the list of members, sorted and in pages", async () => {
    const list = async (query: string) =>
      (await as(admin).get(`/adminapi/user?${query}`)).body as {
        list: { uid: number; frozen_points: number; add_time: string }[];
        count: number;
      };
    // The administrator takes no part in the store and is not listed (app.idle_administrators).
    const uids = [...roots, ...buyers].map(({ uid }) => uid).sort((a, b) => b - a);
    const all = await list("limit=100");
    expect(all.count).toBe(6);
    expect(all.list.map(({ uid }) => uid)).toEqual(uids);
    const pages = [1, 2, 3, 4].map(async (page) => (await list(`sort=uid&limit=2&page=${page}`)).list.map(({ uid }) => uid));
    expect((await Promise.all(pages)).flat()).toEqual([...uids].reverse());
    const points = (await list("sort=-frozen_points")).list.map(({ frozen_points: each }) => each);
    expect(points).toEqual([...points].sort((a, b) => b - a));
    const times = (await list("sort=add_time")).list.map(({ add_time: each }) => each);
    expect(times).toEqual([...times].sort());
    expect(await list("search=Root")).toMatchObject({ count: 2 });
    expect((await list(`spread_uid=${roots[1]!.uid}`)).list.map(({ uid }) => shardOf(uid))).toEqual([1, 1]);
    const asMember = await as(roots[0]!).get("/adminapi/user");
    expectProblem(asMember, "forbidden");
  });

  it("answers errors of a shard with the same problems as an ordinary store", async () => {
    const [buyer] = buyers;
    expectProblem(await as(buyer!).get("/api/order/900000000000001"), "order_not_found");
    expectProblem(await as(admin).put("/adminapi/order/900000000000001/deliver"), "order_not_found");
    const unavailable = await as(buyer!).post("/api/order", { items: [{ product_id: 900_000_001, quantity: 1 }] });
    expectProblem(unavailable, "product_unavailable");
    expect(unavailable.body.detail).not.toMatch(/remote/i);
    const price = await as(buyer!).post("/api/order", { items: [{ product_id: queueGoods, quantity: 1 }], expected_price: "1.00" });
    expectProblem(price, "price_changed");
    // The connection of the router to the shard has survived.
    expect((await as(buyer!).get("/api/user")).status).toBe(200);
  });

  it("repeats a request with an idempotency key once", async () => {
    const send = () =>
      call("POST", "/api/order", {
        token: buyers[3]!.token,
        json: { items: [{ product_id: queueGoods, quantity: 1 }] },
        init: { headers: { "idempotency-key": "shards-1" } },
      });
    const [first, second] = [await send(), await send()];
    expect(second.body.id).toBe(first.body.id);
    expect(shardOf(first.body.id)).toBe(1);
  });

  it("refuses to bind members of different shards, and binds those of one", async () => {
    const alone = [await signUp("Alone"), await signUp("Alone, too")];
    for (const each of alone) {
      const elsewhere = roots.find(({ uid }) => shardOf(uid) !== shardOf(each.uid))!;
      expectProblem(await as(each).put("/api/user/spread", { spread_uid: elsewhere.uid }), "spread_unknown");
      const here = roots.find(({ uid }) => shardOf(uid) === shardOf(each.uid))!;
      expect((await as(each).put("/api/user/spread", { spread_uid: here.uid })).status).toBe(200);
    }
  });

  it("puts a plan and a product in force on all shards from home", async () => {
    expect((await as(admin).put("/adminapi/hjf/brokerage/config", { people_per_cycle: 2, tier_ratios: [0.1, 0.2] })).status).toBe(200);
    await vi.waitFor(
      async () =>
        expect(await onShards("select version, people_per_cycle from app.commission_plans order by version desc limit 1")).toEqual([
          { version: 2, people_per_cycle: 2, shard: 0 },
          { version: 2, people_per_cycle: 2, shard: 1 },
        ]),
      10_000,
    );
    const made = await as(admin).post("/adminapi/product", { title: "Tea", price: "10.00" });
    expect(made.status).toBeLessThan(300);
    const both = await Promise.all(
      roots.map((root) =>
        vi.waitFor(async () => {
          const reply = await place(root, made.body.id);
          expect(reply.id).toBeGreaterThan(0);
          return shardOf(reply.id);
        }, 10_000),
      ),
    );
    expect(both).toEqual([0, 1]);
    expectProblem(await as(admin).post("/adminapi/product", { title: "Few", price: "10.00", stock: 5 }), "invalid_argument");
  });

  it("rejects what is not routed, and serves members of other shards while one does not answer", async () => {
    expectProblem(await as(admin).get("/adminapi/order"), "internal_error");
    await shards[1]!.unsafe(
      "grant store_api to postgres; alter role store_api nologin; select pg_terminate_backend(pid) from pg_stat_activity where usename = 'store_api'",
    );
    try {
      await vi.waitFor(async () => expectProblem(await as(roots[1]!).get("/api/user"), "database_unavailable"), 10_000);
      expect((await as(roots[0]!).get("/api/user")).status).toBe(200);
      expectProblem(await as(admin).get("/adminapi/user"), "database_unavailable");
    } finally {
      await shards[1]!.unsafe("alter role store_api login");
    }
    expect((await as(roots[1]!).get("/api/user")).status).toBe(200);
  });

  it("does not route what docs/scale.md lists", async () => {
    const rows = await atHome((sql) => sql<{ function: string }[]>`select function from router.routes where goes = 'nowhere'`);
    const missing = new Set(rows.map((row) => row.function));
    const unrouted = routes
      .filter(({ calls }) => calls !== undefined && missing.has(calls))
      .map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(unroutedRoutes().sort()).toEqual(unrouted.sort());
  });

  it("ends a shard's view of an administrator who was removed", async () => {
    const other = await signUpAdmin("Former");
    await vi.waitFor(async () => expect((await as(other).get(`/adminapi/user/${roots[1]!.uid}`)).status).toBe(200), 10_000);
    await atHome((sql) => sql`select app.remove_administrator(${other.email})`);
    await vi.waitFor(async () => expectProblem(await as(other).get(`/adminapi/user/${roots[1]!.uid}`), "forbidden"), 10_000);
  });

  it("starts again with the same members, and leaves every balance equal to its bill", async () => {
    await closeShards();
    await sharded.stop();
    await sharded.start();
    openShards();
    for (const root of roots) {
      const { data } = await supabaseClient().auth.signInWithPassword(root);
      expect((await call("GET", "/api/user", { token: data.session!.access_token })).body.uid).toBe(root.uid);
    }
    expect(await onShards("select * from app.reconcile()")).toEqual([]);
  });
});
