import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { Store } from "../concurrency/store.ts";

const text = readFileSync(join(projectRoot, "docs/glossary.md"), "utf8");
const rows = text
  .slice(text.indexOf("## Figures"), text.indexOf("## Around it"))
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(1)
  .map((line) => line.split("|").map((cell) => cell.trim()));
/** The name of each figure, and its example. */
const examples: [string, string][] = rows.map((cells) => [cells[1]!, cells.at(-2)!]);

let store: Store;
let uid: Record<"una" | "dan" | "ann" | "bob" | "cleo", number>;

/** Noon of a day of the example. */
const noon = (day: number) => `2026-01-${String(day).padStart(2, "0")}T12:00:00+08:00`;

async function buy(buyer: number, units: number, day: number): Promise<number> {
  const order = await store.order(buyer, units, new Date(noon(day)));
  await store.sql`select from app.pay_order(${order}, 'test', ${`test-${order}`}, ${noon(day)})`;
  await store.sql`select from app.settle_order(${order}, ${noon(day)})`;
  return order;
}

/** Requests a withdrawal. @returns its id */
async function withdraw(member: number, amount: number, day: number): Promise<number> {
  const [row] = await store.sql`
    select w.id from app.add_payout_account(${member}, 'alipay', 'Chen Jing', '13800000000', null, ${noon(day)}) as p,
      lateral app.request_withdrawal(${member}, ${amount}, 'alipay', p.id, ${noon(day)}) as w`;
  return Number(row!.id);
}

beforeAll(async () => {
  store = await Store.open();
  const { sql } = store;
  const una = await store.signUp();
  uid = {
    una,
    dan: await store.signUp(una),
    ann: await store.signUp(una),
    bob: await store.signUp(),
    cleo: await store.signUp(),
  };
  await sql`
    with opened as (update app.user_balances set brokerage_price = 50, total_brokerage = 50 where uid = ${una} returning uid)
    insert into app.user_bill (uid, type, source, brokerage_delta, brokerage_after, frozen_after, available_after, add_time)
    select uid, 'opening_balance', 'import', 50, 50, 0, 0, '2025-12-31T00:00:00Z' from opened`;
  await buy(una, 1, 1);
  const dan = await buy(uid.dan, 1, 1);
  await sql`select from app.confirm_receipt(${dan}, ${noon(1)})`;
  const paid = await withdraw(una, 700, 9);
  await sql`select from app.move_withdrawal(app.lock_withdrawal(${paid}), 'approved', ${noon(9)})`;
  await sql`select from app.move_withdrawal(app.lock_withdrawal(${paid}), 'paid', ${noon(9)})`;
  await sql`select from app.refund_order(${dan}, null, null, ${noon(10)})`;
  const ann = await buy(uid.ann, 2, 11);
  const [line] = await sql`select id from app.order_lines where order_id = ${ann}`;
  await sql`select from app.refund_order(${ann}, ${sql.json([{ line_id: Number(line!.id), quantity: 1 }])}, null, ${noon(12)})`;
  await sql`select from app.create_adjustment(${uid.bob}, -30, 0, -3, 'Test', null, ${noon(12)})`;
  await sql`select from app.create_adjustment(${uid.cleo}, 200, 0, 0, 'Test', null, ${noon(12)})`;
  await withdraw(uid.cleo, 100, 12);
  await sql`select from app.create_plan('{"tier_ratios": [0.1, 0.2, 0.25], "payout_cap": 0.25}', null, ${noon(13)})`;
});
afterAll(() => store.close());

const END = "2026-01-14T00:00:00+08:00";
const first = async (query: PromiseLike<readonly Record<string, unknown>[]>) =>
  String(Object.values((await query)[0]!)[0]);
const owed = (member: number) => first(store.sql`select owed from app.owed_at(${END}, ${END}) where uid = ${member}`);
const liability = (path: string[], at = END) => first(store.sql`select app.liabilities_json(${at}, now()) #>> ${path}`);
const ofDay = (column: "queue_revenue" | "commission", day: number) =>
  first(
    store.sql`select ${store.sql(column)} from app.overview_days('2026-01-14', 14) where extract(day from day) = ${day}`,
  );
const account = (path: string[]) =>
  first(
    store.sql`select app.accounts_json(b, ${END}) #>> ${path} from app.user_balances as b where b.uid = ${uid.una}`,
  );

/** An administrator reads the places of a member. */
async function place(): Promise<Record<string, string>> {
  const [row] = await store.sql`
    with staff as (insert into auth.users (id, email, email_confirmed_at) values (gen_random_uuid(), 'staff@example.com', now()) returning id)
    select id from staff`;
  await store.sql`select app.add_administrator(${row!.id}::text)`;
  const [answer] =
    await store.sql`select app.as_caller(jsonb_build_object('role', 'store_admin', 'sub', ${row!.id}::text), 'get_places', jsonb_build_object('p_uid', ${uid.una}::bigint)) as places`;
  return answer!.places.list[0];
}

const computed: Record<string, () => Promise<string>> = {
  "owed, of a member": async () => `Una ${await owed(uid.una)}, Cleo ${await owed(uid.cleo)}`,
  "owed, of the store": () => liability(["owed"]),
  "as of": async () => `owed at the end of day 8: ${await liability(["owed"], "2026-01-09T00:00:00+08:00")}`,
  debts: () => liability(["debts"]),
  "covered debts": () => liability(["debts_covered"]),
  "uncovered debts": () => liability(["debts_uncovered"]),
  "negative points": () => liability(["points", "negative"]),
  "revenue of a day": async () =>
    `day 1: ${await ofDay("queue_revenue", 1)}, day 10: ${await ofDay("queue_revenue", 10)}`,
  "revenue of a period": async () =>
    `January: ${await first(store.sql`select paid - refunded from app.report_periods('month', '2026-01-01', '2026-01-31')`)}`,
  "commission of a day": async () => `day 1: ${await ofDay("commission", 1)}, day 10: ${await ofDay("commission", 10)}`,
  "ratio in force": () =>
    first(store.sql`select p -> 'next_ratio' from app.brokerage_progress(${uid.una}, ${END}) as p`),
  "commission of a place": async () => {
    const { commission, commission_at_settlement } = await place();
    return `${commission} of ${commission_at_settlement}`;
  },
  earned: async () => `Una ${await account(["commission", "earned"])}`,
  "total points, total commission": async () =>
    `Una ${await first(store.sql`select total_brokerage from app.user_balances where uid = ${uid.una}`)}`,
  "time in a file": () => first(store.sql`select app.local_time('2026-01-08T16:00:00Z', 'Asia/Shanghai')`),
};

it("every figure of the glossary has an example that is computed here", () => {
  expect(examples.map(([figure]) => figure)).toEqual(Object.keys(computed));
});

it.each(examples)("%s is %s in the example of the glossary", async (figure, example) => {
  expect(await computed[figure]!()).toBe(example);
});
