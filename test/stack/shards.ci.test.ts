import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Account, addProduct, call, expectProblem, readText, routes, signUp, signUpAdmin } from "../api/client.ts";
import { as, buyAndSettle, place } from "../api/scenario.ts";
import { lacking } from "../../scripts/testing/context.ts";
import { connect, skipFor, stack, supabaseClient } from "../support/index.ts";
import { SHARDS, ShardedStack } from "../support/sharded_stack.ts";
import { unroutedOfMembers } from "../support/unrouted.ts";

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
    await vi.waitFor(async () => expect(await onShards("select id from app.products")).toHaveLength(SHARDS));
    buyers = await Promise.all(
      roots.flatMap((root, number) => [1, 2].map((each) => signUp(`Buyer ${number}.${each}`, root.uid))),
    );
  });
  afterAll(async () => {
    await closeShards();
    await sharded.remove();
  });

  it("signs members up on the shard of their referrer, and others in turn", async () => {
    expect(roots.map(({ uid }) => shardOf(uid))).toEqual([0, 1]);
    expect(buyers.map(({ uid }) => shardOf(uid))).toEqual([0, 0, 1, 1]);
    for (const [index, buyer] of buyers.entries())
      expect((await as(buyer).get("/api/user")).body).toMatchObject({
        uid: buyer.uid,
        spread_uid: roots[index >> 1]!.uid,
      });
    const found = await onShards<{ uid: string }>("select uid from app.users");
    expect(
      found.map(({ uid, shard }) => [Number(uid) % SHARDS, shard]).filter(([wanted, shard]) => wanted !== shard),
    ).toEqual([]);
    expect(await atHome((sql) => sql`select uid from app.users`)).toEqual([]);
  });

  it("shows products to visitors and members", async () => {
    const { body } = await call("GET", "/api/product");
    expect(body.list).toMatchObject([{ id: queueGoods, price: "3600.00" }]);
    for (const root of roots)
      expect((await as(root).get(`/api/product/${queueGoods}`)).body).toMatchObject({ id: queueGoods });
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
      await fetch(started.body.start.url, { method: "POST", body: new URLSearchParams({ choice: "pay" }) }).then(
        (response) => response.body?.cancel(),
      );
      await vi.waitFor(async () => expect((await as(buyer).get(`/api/order/${id}`)).body.state).toBe("paid"));
      await vi.waitFor(async () =>
        expect((await as(root).get("/api/hjf/assets/overview")).body.brokerage_price).toBe("1800.00"),
      );
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

  it("refunds at a provider what was paid there, on both shards", async () => {
    for (const buyer of [buyers[1]!, buyers[3]!]) {
      const { list } = (await as(buyer).get("/api/order?state=paid")).body as { list: { id: number }[] };
      const [{ id }] = list as [{ id: number }];
      expect((await as(admin).put(`/adminapi/order/${id}/refund`)).body).toMatchObject({ provider_state: "refunding" });
      const refund = async () => (await as(buyer).get(`/api/order/${id}/refund`)).body.list[0];
      await vi.waitFor(async () => expect(await refund()).toMatchObject({ provider_state: "succeeded" }));
    }
    expect(await onShards("select kind from app.outbox where kind = 'refund_payment'")).toEqual([]);
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
    const pages = [1, 2, 3, 4].map(async (page) =>
      (await list(`sort=uid&limit=2&page=${page}`)).list.map(({ uid }) => uid),
    );
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

  it("merges the list of orders by id, in pages and by cursor", async () => {
    const ids = (await onShards<{ id: string }>("select id from app.orders"))
      .map(({ id }) => Number(id))
      .sort((a, b) => b - a);
    const list = async (query: string) =>
      (await as(admin).get(`/adminapi/order?${query}`)).body as {
        list: { id: number }[];
        count: number;
        next_cursor: string | null;
      };
    const all = await list("limit=100");
    expect(all).toMatchObject({ count: ids.length, next_cursor: null });
    expect(all.list.map(({ id }) => id)).toEqual(ids);
    for (const sort of ["-id", "id"]) {
      const found: number[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const page = await list(`sort=${sort}&limit=2${cursor && `&cursor=${cursor}`}`);
        found.push(...page.list.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      expect(found).toEqual(sort === "id" ? [...ids].reverse() : ids);
    }
    expect((await list("limit=2&page=2")).list.map(({ id }) => id)).toEqual(ids.slice(2, 4));
    expectProblem(await as(admin).get("/adminapi/order?sort=paid_at"), "not_available_on_shards");
  });

  it("exports the bill of both shards, one after the other", async () => {
    const { status, text } = await readText("/adminapi/export/bill", admin);
    expect(status).toBe(200);
    const [header, ...lines] = text.trim().split("\r\n");
    const position = header!.split(",").indexOf("Bill row");
    const rows = await onShards<{ id: string }>("select id from app.user_bill order by id");
    expect(lines.map((line) => line.split(",")[position])).toEqual(rows.map(({ id }) => id));
  });

  it("answers errors of a shard with the same problems as an ordinary store", async () => {
    const [buyer] = buyers;
    expectProblem(await as(buyer!).get("/api/order/900000000000001"), "order_not_found");
    expectProblem(await as(admin).put("/adminapi/order/900000000000001/deliver"), "order_not_found");
    const unavailable = await as(buyer!).post("/api/order", { items: [{ product_id: 900_000_001, quantity: 1 }] });
    expectProblem(unavailable, "product_unavailable");
    expect(unavailable.body.detail).not.toMatch(/remote/i);
    const price = await as(buyer!).post("/api/order", {
      items: [{ product_id: queueGoods, quantity: 1 }],
      expected_price: "1.00",
    });
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
    expect(
      (await as(admin).put("/adminapi/hjf/brokerage/config", { people_per_cycle: 2, tier_ratios: [0.1, 0.2] })).status,
    ).toBe(200);
    await vi.waitFor(async () =>
      expect(
        await onShards("select version, people_per_cycle from app.commission_plans order by version desc limit 1"),
      ).toEqual([
        { version: 2, people_per_cycle: 2, shard: 0 },
        { version: 2, people_per_cycle: 2, shard: 1 },
      ]),
    );
    const made = await as(admin).post("/adminapi/product", { title: "Tea", price: "10.00" });
    expect(made.status).toBeLessThan(300);
    const both = await Promise.all(
      roots.map((root) =>
        vi.waitFor(async () => {
          const reply = await place(root, made.body.id);
          expect(reply.id).toBeGreaterThan(0);
          return shardOf(reply.id);
        }),
      ),
    );
    expect(both).toEqual([0, 1]);
    expectProblem(
      await as(admin).post("/adminapi/product", { title: "Few", price: "10.00", stock: 5 }),
      "invalid_argument",
    );
  });

  it("serves members of other shards while one does not let the router in", async () => {
    await shards[1]!.unsafe(
      "grant store_api to postgres; alter role store_api nologin; select pg_terminate_backend(pid) from pg_stat_activity where usename = 'store_api'",
    );
    try {
      await vi.waitFor(async () => expectProblem(await as(roots[1]!).get("/api/user"), "database_unavailable"));
      expect((await as(roots[0]!).get("/api/user")).status).toBe(200);
      expectProblem(await as(admin).get("/adminapi/user"), "database_unavailable");
    } finally {
      await shards[1]!.unsafe("alter role store_api login");
    }
    await vi.waitFor(async () => expect((await as(roots[1]!).get("/api/user")).status).toBe(200));
  });

  it("serves members of other shards while one hangs, names it, and loses and repeats nothing when it goes on", async () => {
    const [here, there] = [roots[0]!, roots[1]!];
    const order = ({ token }: Account) =>
      call("POST", "/api/order", {
        token,
        json: { items: [{ product_id: queueGoods, quantity: 1 }] },
        init: { headers: { "idempotency-key": "while-it-hangs" } },
      });
    const count = async () =>
      (await onShards<{ count: string }>("select count(*) from app.orders")).map((row) => Number(row.count));
    const before = await count();
    const thaw = sharded.freeze(1);
    try {
      // More wait for the shard at once than the functions have connections.
      const [lost, answers] = await Promise.all([
        Promise.all(Array.from({ length: 12 }, () => order(there))),
        Promise.all(Array.from({ length: 12 }, () => as(here).get("/api/user"))),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      for (const { body } of lost)
        expect(["database_unavailable", "database_busy", "database_timeout"]).toContain(body.code);

      const begin = performance.now();
      expect((await order(here)).status).toBe(201);
      expect((await call("GET", "/api/product")).status).toBe(200);
      expect(await call("GET", "/api/health")).toMatchObject({
        status: 200,
        body: { status: "degraded", silent_shards: [1] },
      });
      expectProblem(await as(there).get("/api/user"), "database_unavailable");
      expectProblem(await as(admin).get("/adminapi/user"), "database_unavailable");
      // Two without a referrer: neither goes to the shard that hangs.
      for (const name of ["First", "Second"]) expect(shardOf((await signUp(name)).uid)).toBe(0);
      // Far less than the limit of a statement, 15 seconds, however busy the machine is.
      expect(performance.now() - begin).toBeLessThan(10_000);
    } finally {
      thaw();
    }
    await vi.waitFor(async () => expect((await call("GET", "/api/health")).body.silent_shards).toEqual([]));
    const [first, second] = [await order(there), await order(there)];
    expect(second.body.id).toBe(first.body.id);
    expect(await count()).toEqual(before.map((each) => each + 1));
  });

  it("responds to every route that is not routed with 501 and the reason, and to no other one", async () => {
    const rows = await atHome(
      (sql) =>
        sql<{ function: string; reason: string }[]>`select function, reason from router.routes where goes = 'nowhere'`,
    );
    const reasons = new Map(rows.map((row) => [row.function, row.reason]));
    // Whatever the arguments are.
    await atHome(async (sql) => {
      for (const [name, detail] of reasons)
        await expect(sql`select app.as_caller('{}', ${name}, '{}')`).rejects.toMatchObject({ code: "PT501", detail });
    });
    const member = await signUp("Walker");
    const tokens: Record<string, string | undefined> = { admin: admin.token, user: member.token, public: undefined };
    const NOBODY = "900000000000001";
    const failures: unknown[] = [];
    for (const { method, path, auth, calls } of routes.filter((route) => route.auth in tokens)) {
      const reply = await call(method.toUpperCase(), path.replace("{provider}", "local").replaceAll(/{\w+}/g, NOBODY), {
        ...(tokens[auth] !== undefined && { token: tokens[auth] }),
        ...(method !== "get" && { json: {} }),
      });
      const reason = reasons.get(calls);
      const isRejected = reply.status === 501 && reply.body.detail === reason;
      // A request with other faults is refused before it is routed.
      if (
        reason === undefined
          ? reply.status === 500 || reply.status === 501
          : !isRejected && (reply.status < 400 || reply.status === 500)
      )
        failures.push([method, path, reply.status, reply.body]);
    }
    expect(failures).toEqual([]);
  });

  it("refuses webhooks and mails to administrators, and tells members that none are sent", async () => {
    const detail = "Webhooks and addresses of mails are at home, and what they tell is on the shards.";
    const webhook = { url: "https://erp.example.com", description: "ERP", types: ["order.paid"] };
    for (const reply of [
      await as(admin).post("/adminapi/webhook", webhook),
      await as(admin).get("/adminapi/webhook"),
      await as(admin).get("/adminapi/me/notices"),
      await as(admin).get("/adminapi/message_settings"),
    ]) {
      expectProblem(reply, "not_available_on_shards");
      expect(reply.body.detail).toBe(detail);
    }
    // As if the functions had reported a mail server.
    await atHome((sql) => sql`update app.function_settings set variables = array_append(variables, 'STORE_SMTP_URL')`);
    const choices = { inbox: ["orders"], email: ["orders"], wechat: [], language: "en" };
    const chosen = await as(roots[1]!).put("/api/notice/choices", choices);
    expect(chosen.body).toMatchObject({ email: ["orders"], address: null, is_mail_set_up: false });
    await buyAndSettle(roots[1]!, admin, queueGoods);
    for (const sql of shards) await sql`call app.tell_notices()`;
    expect(await onShards("select kind from app.outbox where kind in ('member_mail', 'notice')")).toEqual([]);
  });

  it("routes what members may call, apart from what has a part at home", async () => {
    const rows = await atHome(
      (sql) => sql<{ function: string }[]>`
        select r.function from router.routes as r join pg_proc as p on p.pronamespace = 'api'::regnamespace and p.proname = r.function
        where r.goes = 'nowhere' and has_function_privilege('authenticated', p.oid, 'execute')`,
    );
    const ofMembers = new Set<string>(routes.filter(({ auth }) => auth === "user").map(({ calls }) => calls));
    expect(rows.map((row) => row.function).sort()).toEqual(
      unroutedOfMembers()
        .filter((name) => ofMembers.has(name))
        .sort(),
    );
  });

  it("ends a shard's view of an administrator who was removed", async () => {
    const other = await signUpAdmin("Former");
    await vi.waitFor(async () => expect((await as(other).get(`/adminapi/user/${roots[1]!.uid}`)).status).toBe(200));
    await atHome((sql) => sql`select app.remove_administrator(${other.email})`);
    await vi.waitFor(async () => expectProblem(await as(other).get(`/adminapi/user/${roots[1]!.uid}`), "forbidden"));
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
