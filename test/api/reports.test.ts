import { beforeAll, describe, expect, it } from "vitest";
import { connect, stack } from "../support/index.ts";
import { type Account, addProduct, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { as } from "./scenario.ts";

let admin: Account;
let tea: number;

// A day on which nothing else happens in the store of the tests. Tea settles nothing, so the bill has no row of it.
const day = "2015-06-17";

beforeAll(async () => {
  const [buyer, administrator] = await Promise.all([signUp("Buyer of 2015"), signUpAdmin("Reporter")]);
  admin = administrator;
  tea = await addProduct("Tea of 2015", "19.90", false);
  const sql = connect(stack().database_url);
  const order = async (time: string, quantity: number) => {
    const [row] =
      await sql`select (app.create_order(${buyer.uid}, ${sql.json([{ product_id: tea, quantity }])}, ${`${day}T${time}+08:00`})).id`;
    await sql`select app.pay_order(${row!.id}, 'test', ${`report-${row!.id}`}, ${`${day}T${time}+08:00`})`;
    return row!.id as string;
  };
  const first = await order("10:15:00", 2);
  await order("10:45:00", 3);
  await order("11:00:00", 1);
  const [line] = await sql`select l.id from app.order_lines as l where l.order_id = ${first}`;
  await sql`select app.refund_order(${first}, ${sql.json([{ line_id: Number(line!.id), quantity: 1 }])}, null, ${`${day}T11:05:00+08:00`})`;
  await sql.end();
});

const report = async (query: string) => (await as(admin).get(`/adminapi/report?${query}`)).body;
const cents = (amount: string) => Math.round(Number(amount) * 100);

// supabase/tests/reports tests the sums themselves.
describe("GET /adminapi/report", () => {
  // Guarantee reports/figures: A figure of a report agrees to the cent with the orders behind it
  // By: one definition of the figures, app.sum_between
  it("has figures that agree to the cent with the list of the orders behind them", async () => {
    const { periods } = await report(`unit=hour&from=${day}&to=${day}`);
    expect(periods).toHaveLength(24);
    let [orders, paid, refunded] = [0, 0, 0];
    for (const period of periods.slice(9, 13)) {
      const between = (what: string) =>
        as(admin).get(`/adminapi/order?limit=100&${what}_from=${period.begins_at}&${what}_to=${period.ends_at}`);
      const sold = (await between("paid")).body;
      const returned = (await between("refunded")).body;
      expect(sold.count).toBe(period.orders);
      expect(sold.list.reduce((sum: number, order: { pay_price: string }) => sum + cents(order.pay_price), 0)).toBe(
        cents(period.paid),
      );
      expect(returned.list.reduce((sum: number, order: { refunded: string }) => sum + cents(order.refunded), 0)).toBe(
        cents(period.refunded),
      );
      expect(cents(period.revenue)).toBe(cents(period.paid) - cents(period.refunded));
      [orders, paid, refunded] = [orders + period.orders, paid + cents(period.paid), refunded + cents(period.refunded)];
    }
    // Six teas in three orders, and one tea back.
    expect([orders, refunded]).toEqual([3, 1990]);
    expect(paid).toBeGreaterThanOrEqual(6 * 1990);
    const [whole] = (await report(`unit=day&from=${day}&to=${day}`)).periods;
    expect(whole).toMatchObject({ day, orders: 3, refunded: "19.90", is_over: true, members: 0, commission: "0.00" });
  });

  it("shows the refund of a period in the list, and not what was refunded at other times", async () => {
    const list = async (query: string) => (await as(admin).get(`/adminapi/order?${query}`)).body.list;
    const [sold] = await list(`paid_from=${day}T10:15:00%2B08:00&paid_to=${day}T10:16:00%2B08:00`);
    expect(sold.refunded).toBe("19.90");
    expect(await list(`refunded_from=${day}T11:06:00%2B08:00&refunded_to=${day}T23:59:00%2B08:00`)).toEqual([]);
  });

  it("has the last 30 days without parameters, whose last one is not over", async () => {
    const { unit, periods, compared, totals } = await report("");
    expect(unit).toBe("day");
    expect(periods).toHaveLength(30);
    expect(periods.map(({ is_over }: { is_over: boolean }) => is_over).lastIndexOf(true)).toBe(28);
    expect(compared).toBeNull();
    expect(totals.members).toBeGreaterThan(0);
  });

  it.each([
    "unit=year",
    "compare=decade",
    "from=2026-02-30",
    "from=2026-11-02&to=2026-11-01",
    "unit=hour&from=2026-01-01&to=2026-01-03",
    "days=3",
  ])("rejects %s", async (query) => {
    expectProblem(await as(admin).get(`/adminapi/report?${query}`), "invalid_argument");
  });
});

describe.each(["product", "level", "member"])("GET /adminapi/report/%s", (by) => {
  it("needs a period of at most the days that the report names", async () => {
    const get = (query: string) => as(admin).get(`/adminapi/report/${by}?${query}`);
    expectProblem(await get(""), "invalid_argument");
    const { source_days } = await report(`from=${day}&to=${day}`);
    const of = (days: number) => `from=2015-01-01T00:00:00Z&to=${new Date(Date.UTC(2015, 0, 1 + days)).toISOString()}`;
    expect((await get(of(source_days))).status).toBe(200);
    const tooLong = await get(of(source_days + 1));
    expectProblem(tooLong, "invalid_argument");
    expect(tooLong.body.detail).toContain(`at most ${source_days} days`);
  });
});

describe("GET /adminapi/report/product", () => {
  it("adds up to what was paid, with the freight", async () => {
    const between = `from=${day}T00:00:00%2B08:00&to=${day}T23:59:59%2B08:00`;
    const { list, freight } = (await as(admin).get(`/adminapi/report/product?${between}`)).body;
    const [whole] = (await report(`from=${day}&to=${day}`)).periods;
    expect(list.reduce((sum: number, { paid }: { paid: string }) => sum + cents(paid), cents(freight))).toBe(
      cents(whole.paid),
    );
    expect(list).toMatchObject([
      { product_id: tea, orders: 3, units: 6, units_refunded: 1, paid: "119.40", refunded: "19.90", revenue: "99.50" },
    ]);
    const countOf = async (product: number) =>
      (await as(admin).get(`/adminapi/order?product_id=${product}&paid_${between.replace("&to", "&paid_to")}`)).body
        .count;
    expect([await countOf(tea), await countOf(tea + 1_000_000)]).toEqual([3, 0]);
  });

  it("rejects another sort", async () => {
    expectProblem(
      await as(admin).get("/adminapi/report/product?from=2015-06-01T00:00:00Z&to=2015-07-01T00:00:00Z&sort=title"),
      "invalid_argument",
    );
  });
});
