import type postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { backdate, backdateMembers } from "../journal/store.ts";
import { cloneDatabase, type ClonedDatabase, connect } from "../support/index.ts";
import { check, editRows, rowsOf, withBundle } from "./bundles.ts";

// What raises a member since the second version of the rules, in one month, each followed by an order that is paid by
// the level.

const MONTH = "2026-03";
let database: ClonedDatabase;
let sql: postgres.Sql;
let at = Date.parse("2026-03-02T10:00:00+08:00");
const now = () => new Date((at += 60_000));
let product: number;

async function join(under: number | null = null): Promise<number> {
  const [account] =
    await sql`insert into auth.users (email_confirmed_at, id, raw_user_meta_data) values (${now()}, gen_random_uuid(), ${sql.json({ spread: under })}) returning id`;
  const [user] = await sql`select uid::integer from app.users where auth_id = ${account!.id}`;
  return user!.uid as number;
}
async function buy(uid: number): Promise<number> {
  const items = sql.json([{ product_id: product, quantity: 1 }]);
  const [order] = await sql`select (app.create_order(${uid}, ${items}, ${now()})).id::integer as id`;
  await sql`select from app.pay_order(${order!.id}, 'test', ${`paid-${order!.id}`}, ${now()})`;
  await sql`select from app.settle_order(${order!.id}, ${now()})`;
  return order!.id as number;
}
const setLevel = (uid: number, grade: number, held: boolean | null) =>
  sql`select from app.set_agent_level(${uid}, ${grade}::smallint, null, ${now()}, ${held})`;
async function ask(order: number): Promise<void> {
  await sql`select from app.request_refund(${order}, null, '', ${now()})`;
  await sql`select from app.refuse_refund(${order}, ${now()})`;
}

beforeAll(async () => {
  database = await cloneDatabase();
  sql = connect(database.url);
  await sql`call app.ensure_month_partitions('2026-03-01', '2026-04-30')`;
  await backdate(sql);
  const [row] =
    await sql`insert into app.products (title, price, is_queue_goods) values ('Goods', 10.00, true) returning id::integer`;
  product = row!.id as number;
  const top = await join();
  await buy(top);
  const buyer = await join(top);
  const [other, newcomer] = [await join(top), await join()];
  await backdateMembers(sql);
  const orders = [await buy(buyer), await buy(buyer), await buy(other)];
  await buy(newcomer);
  const lower = () => setLevel(top, 0, false);
  await lower();
  await ask(orders[0]!);
  await buy(buyer);
  await lower();
  await sql`select from app.set_no_assess(${other}, true, null, ${now()})`;
  await sql`select from app.set_no_assess(${other}, false, null, ${now()})`;
  await buy(other);
  await setLevel(top, 0, true);
  await setLevel(top, 0, false);
  await buy(buyer);
  await lower();
  await sql`select from app.bind_spread(${newcomer}, ${top}, ${now()})`;
  await buy(newcomer);
  // The settings change between the settlement before and what raises by them.
  await sql`select app.set_agent_levels((
    select jsonb_agg(case when l ->> 'grade' = '2' then jsonb_set(l, '{tasks}', '{"direct_orders": 3}') else l end) from jsonb_array_elements(app.levels_json()) as l
  ), null, ${now()})`;
  await ask(orders[1]!);
  await buy(buyer);
  await lower();
  await sql`select from app.begin_import('neutral', ${"0".repeat(64)}, ${now()})`;
  await sql`select from app.finish_import(${now()})`;
  await buy(buyer);
  // The last one has no settlement after it in the month.
  await lower();
  await ask(orders[2]!);
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

interface Change {
  kind: string;
  cause: string | null;
  position: number;
}

it("decides every rise again, whatever its cause", async () => {
  await withBundle(sql, MONTH, undefined, async (folder) => {
    const causes = rowsOf<Change>(folder, "changes.jsonl").flatMap(({ kind, cause }) =>
      kind === "rise" ? [cause] : [],
    );
    expect(new Set(causes)).toEqual(new Set(["order", "refund", "assess", "hold", "refer", "import"]));
    expect(await check(folder)).toMatchObject({ findings: [], differences: [] });
  });
});

// Guarantee rules/past-position
it("decides each position by the rules of the store there", async () => {
  await withBundle(sql, MONTH, undefined, async (folder) => {
    const [first] = rowsOf<Change>(folder, "changes.jsonl").filter(({ cause }) => cause === "refund");
    editRows<{ version: number; position: number }>(folder, "rules.jsonl", (rules) =>
      rules.map((rule) => (rule.version === 2 ? { ...rule, position: first!.position + 1 } : rule)),
    );
    editRows<Change>(folder, "changes.jsonl", (changes) => changes.filter(({ cause }) => cause !== "hold"));
    const { findings, differences } = await check(folder);
    expect(findings).toEqual([]);
    // A rise that was decided and not booked is a difference, too.
    expect(differences).toContainEqual({
      subject: expect.stringMatching(/^level of uid \d+, hold$/),
      decided: "0 to 1",
      booked: "nothing",
    });
    // The first refusal raised by rules that did not hold yet. The order after it was paid by the level, and a
    // settlement would have raised.
    expect(differences[0]).toMatchObject({
      subject: expect.stringMatching(/^order \d+, level of uid \d+, refund$/),
      decided: "nothing",
      booked: "0 to 1",
    });
    expect(differences.filter(({ subject }) => subject.endsWith(", refund"))).toHaveLength(1);
    expect(differences.map(({ booked }) => booked)).toContain("nothing");
  });
});

it("simulates what was paid", async () => {
  const [row] =
    await sql`select app.simulate(null, null, '2026-03-01T00:00:00+08:00', '2026-04-01T00:00:00+08:00') -> 'totals' as totals`;
  expect(row!.totals.simulated).toEqual(row!.totals.paid);
  expect(await sql`select * from app.reconcile()`).toEqual([]);
});
