import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "./store.ts";

let store: Store;
let buyer: number;
let administrators: string[];
beforeAll(async () => {
  store = await Store.open();
  await store.sql`grant store_api to postgres`;
  buyer = await store.signUp();
  administrators = await Promise.all([administrator(), administrator()]);
});
afterAll(() => store.close());

async function administrator(): Promise<string> {
  const uid = await store.signUp();
  const [row] = await store.sql`
    select app.add_administrator(u.auth_id::text, '{owner}', 'Packer') as id from app.users as u where u.uid = ${uid}`;
  return row!.id as string;
}

interface Line {
  line: number;
  order_no: string;
  carrier: string;
  tracking_no: string;
}
interface Answer {
  lines: { order_id: number; result: string; problem: string | null }[];
  fits: number;
  unchanged: number;
  rejected: number;
}

/** Paid orders, as lines of a file. */
async function toShip(count: number, numbers = "N1000"): Promise<{ ids: number[]; lines: Line[] }> {
  const ids: number[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await store.buy(buyer));
  const rows = await store.sql`select id, order_no from app.orders where id = any (${ids}) order by id`;
  const lines = rows.map(({ id, order_no }, at) => ({
    line: at + 2,
    order_no,
    carrier: "SF",
    tracking_no: `${numbers}${id}`,
  }));
  return { ids, lines };
}

const ship =
  (by: string, lines: Line[]) =>
  async (sql: postgres.Sql): Promise<Answer> => {
    const [row] = await sql.begin(async (transaction) => {
      await transaction`set local role store_api`;
      return transaction`
        select app.as_caller(${sql.json({ role: "store_admin", sub: by })}, 'ship_orders', ${sql.json({ p_lines: lines } as never)}) as answer`;
    });
    return row!.answer as Answer;
  };
const parcels = (ids: number[]) =>
  store.sql`select order_id, tracking_no from app.parcels where order_id = any (${ids}) order by order_id, id`;
const events = async (ids: number[]) =>
  (
    await store.sql`select subject_id from app.events where type = 'order.shipped' and subject_id = any (${ids}) order by 1`
  ).length;
const results = (settled: PromiseSettledResult<Answer>[]) =>
  settled.map((each) =>
    each.status === "fulfilled" ? [each.value.fits, each.value.unchanged, each.value.rejected] : String(each.reason),
  );

describe("the same orders", () => {
  // Guarantee money/shipping-once: A paid order is shipped once, whatever is repeated, interrupted or done by two
  // administrators. A refunded order is never shipped
  // By: the order is locked before it is checked, app.add_parcel
  it("are shipped once by two administrators with the same file, in whatever sequence its lines are", async () => {
    const { ids, lines } = await toShip(20);
    const done = await store.together([
      ship(administrators[0]!, lines),
      ship(administrators[1]!, lines.toReversed()),
      ship(administrators[0]!, lines),
    ]);
    expect(results(done).sort()).toEqual([
      [0, 20, 0],
      [0, 20, 0],
      [20, 0, 0],
    ]);
    expect(await parcels(ids)).toHaveLength(20);
    expect(await events(ids)).toBe(20);
    expect(await store.deadlocks()).toBe(0);
  });

  it("get the number of one of two files, and the other is told", async () => {
    const { ids, lines } = await toShip(5);
    const others = lines.map((line) => ({ ...line, tracking_no: `X${line.tracking_no}` }));
    const done = await store.together([ship(administrators[0]!, lines), ship(administrators[1]!, others)]);
    expect(
      results(done)
        .map((each) => (typeof each === "string" ? each.includes("order_state_conflict") : each))
        .sort(),
    ).toEqual([[5, 0, 0], true]);
    expect(await parcels(ids)).toHaveLength(5);
  });

  it("get one parcel from eight repetitions of the same request", async () => {
    const { ids } = await toShip(1);
    await store.together(
      Array.from(
        { length: 8 },
        () => (sql: postgres.Sql) =>
          sql`select from app.ship_parcel(${ids[0]!}, 'SF', 'SAME1001', ${administrators[0]!}, null)`,
      ),
    );
    expect(await parcels(ids)).toEqual([{ order_id: String(ids[0]), tracking_no: "SAME1001" }]);
    expect(await events(ids)).toBe(1);
  });
});

describe("an order that is shipped", () => {
  it("is refunded as well, or the line is rejected, but it is never shipped after its refund", async () => {
    for (let round = 0; round < 6; round += 1) {
      const { ids, lines } = await toShip(2, `R1000${round}-`);
      const [done] = await store.together<unknown>([
        ship(administrators[0]!, lines),
        (sql) => sql`select from app.refund_order(${ids[0]!}, null, 'meanwhile', null)`,
      ]);
      expect(done!.status).toBe("fulfilled");
      const { lines: answers } = (done as PromiseFulfilledResult<Answer>).value;
      const [order] = await store.sql`
        select o.state, o.refund_status, o.delivered_at <= (select max(r.decided_at) from app.refunds as r where r.order_id = o.id) as shipped_first
        from app.orders as o where o.id = ${ids[0]!}`;
      expect(order!.refund_status).toBe(2);
      const [line] = answers.filter(({ order_id }) => order_id === ids[0]);
      expect([
        line!.result,
        line!.problem,
        order!.state,
        order!.shipped_first,
        (await parcels([ids[0]!])).length,
      ]).toEqual(
        line!.result === "fits" ? ["fits", null, "delivered", true, 1] : ["rejected", "refunded", "paid", null, 0],
      );
      expect(answers.find(({ order_id }) => order_id === ids[1])!.result).toBe("fits");
    }
    expect(await store.findings()).toEqual([]);
  });

  it("was received or not, when its buyer confirms the receipt meanwhile", async () => {
    for (let round = 0; round < 4; round += 1) {
      const { ids, lines } = await toShip(2, `C1000${round}-`);
      const [done] = await store.together<unknown>([
        ship(administrators[0]!, lines),
        (sql) => sql`select from app.confirm_receipt(${ids[0]!}, null)`,
      ]);
      const { lines: answers } = (done as PromiseFulfilledResult<Answer>).value;
      const { result, problem } = answers.find(({ order_id }) => order_id === ids[0])!;
      expect([result, problem, (await parcels([ids[0]!])).length]).toEqual(
        result === "fits" ? ["fits", null, 1] : ["rejected", "received", 0],
      );
    }
    expect(await store.findings()).toEqual([]);
  });

  it("is not shipped when it was cancelled meanwhile", async () => {
    const id = await store.order(buyer);
    const other = await toShip(1, "D1000");
    const [{ order_no } = { order_no: "" }] = await store.sql`select order_no from app.orders where id = ${id}`;
    const lines = [...other.lines, { line: 9, order_no: order_no as string, carrier: "SF", tracking_no: "D10000" }];
    const [done] = await store.together<unknown>([
      ship(administrators[0]!, lines),
      (sql) => sql`select from app.cancel_order(${id}, null)`,
    ]);
    const line = (done as PromiseFulfilledResult<Answer>).value.lines.find(({ order_id }) => order_id === id)!;
    expect([line.result, ["unpaid", "cancelled"].includes(line.problem!)]).toEqual(["rejected", true]);
    expect(await parcels([id])).toEqual([]);
  });
});

describe("a parcel", () => {
  it("is corrected by one of two administrators after the other, and each wrong number is recorded", async () => {
    const { ids } = await toShip(1);
    await store.sql`select from app.ship_parcel(${ids[0]!}, 'SF', 'FIRST1001', null, null)`;
    const [parcel] = await store.sql`select id from app.parcels where order_id = ${ids[0]!}`;
    const correct = (by: string, number: string) => (sql: postgres.Sql) =>
      sql.begin(async (transaction) => {
        await transaction`set local role store_api`;
        await transaction`
          select app.as_caller(${sql.json({ role: "store_admin", sub: by })}, 'set_parcel', ${sql.json({ p_id: parcel!.id, p_tracking_no: number })})`;
      });
    await store.together([correct(administrators[0]!, "ONE1001"), correct(administrators[1]!, "OTHER1001")]);
    const actions = await store.sql`
      select from_value ->> 'tracking_no' as was, to_value ->> 'tracking_no' as is from app.admin_actions
      where function = 'set_parcel' and target_id = ${String(ids[0])} order by add_time`;
    const [last] = await parcels(ids);
    expect(actions.map(({ was }) => was)).toEqual(["FIRST1001", actions[0]!.is]);
    expect(last!.tracking_no).toBe(actions[1]!.is);
  });
});
