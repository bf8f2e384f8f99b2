import { existsSync, readdirSync } from "node:fs";
import type postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { smokeTest } from "../../scripts/deploy/smoke_test.ts";
import { call, createTestAccount, signIn, type Site } from "../../scripts/deploy/test_account.ts";
import type { Problem } from "../../scripts/ground/problem.ts";
import { readStackFile } from "../../scripts/ground/stack_file.ts";
import { type CommandPlace, newCommandPlace } from "../../scripts/testing/command.ts";
import { connect } from "../support/index.ts";

// The smoke test of a deployment in a store of its own, which begins without products. Each test begins where the one
// before has left it.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let at: CommandPlace;
let sql: postgres.Sql;
let site: Site;

beforeAll(async () => {
  at = await newCommandPlace();
  const { code, output } = await at.run("start", "--detach", "--no-demo");
  expect(code, output).toBe(0);
  const { database_url, supabase_url: url, publishable_key, secret_key } = readStackFile(at.place)!;
  sql = connect(database_url);
  site = { ref: "a".repeat(20), url, publishableKey: publishable_key, secretKey: secret_key };
});
beforeEach(() => vi.stubEnv("DATABASE_URL", readStackFile(at.place)!.database_url));
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await sql?.end();
  await at.run("stop");
  await at.remove();
});

/** Runs the smoke test. @returns what it prints */
async function tried(isBuying = false): Promise<string> {
  const print = vi.spyOn(console, "log").mockReturnValue();
  await smokeTest(site, isBuying);
  return print.mock.calls.flat().join("\n");
}

/** What a store has that a smoke test could leave. */
const counted = async () =>
  (
    await sql`
      select
        (select count(*)::integer from auth.users where email like 'smoke-test+%') as accounts,
        (select count(*)::integer from app.users where left_at is null) as members,
        (select count(*)::integer from app.administrators) as administrators,
        (select count(*)::integer from app.orders where state <> 'cancelled') as orders,
        (select coalesce(sum(stock), 0)::integer from app.products) as stock,
        (select count(*)::integer from app.outbox) as outbox`
  )[0]!;
const mails = () => (existsSync(at.place.mails) ? readdirSync(at.place.mails) : []);

describe("the smoke test", { concurrent: false }, () => {
  it("orders nothing where nothing is on sale, and says so", async () => {
    const before = await counted();
    expect(await tried()).toMatch(/Left out: the order \(no product with a price is on sale and in stock\)/);
    expect(await counted()).toEqual(before);
  });

  it("leaves no account, no order that counts, no stock taken and no mail", async () => {
    await sql`insert into app.products (title, price, stock, is_queue_goods) values ('Sample', 0, 9, false), ('Flagship', 3600, 2, true)`;
    const before = await counted();
    const output = await tried();
    expect(output).not.toContain("Left out");
    expect(output).toMatch(/What remains: member \d+, without a name, who has left; the cancelled order \d+\./);
    expect(await counted()).toEqual(before);
    expect(mails()).toEqual([]);
  });

  it("says which part failed and what came back, and removes what it made", async () => {
    const before = await counted();
    await sql`revoke execute on function api.cancel_order(bigint) from authenticated`;
    vi.spyOn(console, "log").mockReturnValue();
    const failure: unknown = await smokeTest(site, false).catch((error: unknown) => error);
    expect((failure as Problem).message).toMatch(
      /^The smoke test failed\. It orders a product and cancels the order: PUT \/functions\/v1\/api\/order\/\d+\/cancel was answered \d+ \(\w+\): /,
    );
    expect((failure as Problem).advice).not.toBe("");
    await sql`grant execute on function api.cancel_order(bigint) to authenticated`;
    expect(await counted()).toEqual(before);
  });

  it("removes what an interrupted one has left, and no other account", async () => {
    const other = await createTestAccount({ ...site, ref: "b".repeat(20) }, "authenticated");
    const before = await counted();
    const account = await createTestAccount(site, "authenticated");
    const { token } = await signIn(site, account);
    const [product] = await sql<{ id: number }[]>`select id::integer from app.products where price > 0`;
    const items = [{ product_id: product!.id, quantity: 1 }];
    await call(site, "POST /functions/v1/api/order", { token }, { items });
    expect(await counted()).not.toEqual(before);
    expect(await tried()).toContain("An interrupted smoke test had left 1 accounts, which are removed.");
    expect(await counted()).toEqual(before);
    await call(site, `DELETE /auth/v1/admin/users/${other.id}`, { isServer: true });
  });

  it("waits for no other: the second of two at the same time is refused, and takes nothing from the first", async () => {
    await sql`select pg_advisory_lock(hashtextextended('npm run deploy: smoke test', 0))`;
    await expect(tried()).rejects.toThrow("Another deployment is running its smoke test.");
    await sql`select pg_advisory_unlock_all()`;
  });

  it("buys, settles and refunds if it is asked to, once, and the books are right", async () => {
    const before = await counted();
    const output = await tried(true);
    expect(output).toMatch(/✓ It buys a product, which is settled and refunded/);
    expect(output).toMatch(/the paid and refunded order \d+ with its settlement, refund, events and actions/);
    const after = await counted();
    expect(after).toEqual({ ...before, orders: before.orders + 1, outbox: after.outbox });
    expect(
      await sql`select o.pay_type, o.refund_status, s.order_id is not null as is_settled from app.orders as o
        left join app.settlements as s on s.order_id = o.id where o.state <> 'cancelled'`,
    ).toEqual([{ pay_type: "offline", refund_status: 2, is_settled: true }]);
    expect(await sql`select * from app.reconcile() where check_name <> 'release_day_has_come'`).toEqual([]);
    await expect(tried(true)).rejects.toThrow("The store has orders, so the smoke test buys nothing.");
    expect(mails()).toEqual([]);
  });
});
