import { beforeAll, describe, expect, it } from "vitest";
import { type Account, addProduct, expectProblem, signUp, signUpAdmin } from "../api/client.ts";
import { as, buy } from "../api/scenario.ts";
import { connect, stack } from "../support/index.ts";

// Cases that people who run shops have reported in public trackers, tried on this store. Each test names its sources.

let admin: Account;
let buyer: Account;
beforeAll(async () => {
  [admin, buyer] = await Promise.all([signUpAdmin("Field"), signUp("Buyer of the field")]);
});

async function withDatabase<T>(work: (sql: ReturnType<typeof connect>) => Promise<T>): Promise<T> {
  const sql = connect(stack().database_url);
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

/** Places an order at a time of the past, and pays it then or later. @returns its id and its lines */
const sell = (product_id: number, placed: string, quantity = 1, paid = placed) =>
  withDatabase(async (sql) => {
    const [order] =
      await sql`select (app.create_order(${buyer.uid}, ${sql.json([{ product_id, quantity }])}, ${placed})).id`;
    await sql`select app.pay_order(${order!.id}, 'test', ${`field-${order!.id}`}, ${paid})`;
    return Number(order!.id);
  });

const refundUnits = (order: number, quantity: number, at: string) =>
  withDatabase(async (sql) => {
    const [line] = await sql`select l.id from app.order_lines as l where l.order_id = ${order}`;
    await sql`select app.refund_order(${order}, ${sql.json([{ line_id: Number(line!.id), quantity }])}, null, ${at})`;
  });

const change = (product: number, fields: object) => as(admin).put(`/adminapi/product/${product}`, fields);

/** The whole days of a report, in the time zone of the store. */
const between = (first: string, last: string) => {
  const [from, to] = [new Date(`${first}T00:00:00+08:00`), new Date(`${last}T00:00:00+08:00`)];
  return `from=${from.toISOString()}&to=${new Date(to.getTime() + 86_400_000).toISOString()}`;
};
const products = async (first: string, last: string) =>
  (await as(admin).get(`/adminapi/report/product?limit=100&${between(first, last)}`)).body;
const row = (title: string, is_queue_goods: boolean, units: number, paid: string) =>
  expect.objectContaining({ title, is_queue_goods, units, paid, units_refunded: 0, refunded: "0.00" });

// Each test has days of its own, on which nothing else happens in the store of the tests.
describe("a report by product", () => {
  // bagisto/bagisto#8691, openfoodfoundation/openfoodnetwork#13220
  // Guarantee reports/products: A report of a period that is over keeps products, titles and flags, whatever became of
  // the products
  // By: those of the order lines, app.sold_products
  it("shows what was sold under the title and the flag of then, whatever the product is now", async () => {
    const tea = await addProduct("Spring tea", "20.00", false);
    await sell(tea, "2013-03-05T10:00:00+08:00", 2);
    expect((await change(tea, { title: "Autumn tea", price: "99.00", is_queue_goods: true })).status).toBe(200);
    expect((await products("2013-03-05", "2013-03-05")).list).toEqual([row("Spring tea", false, 2, "40.00")]);
  });

  // statamic-rad-pack/statamic-cargo#199, PrestaShop/PrestaShop#17119
  it("keeps the sales of a product that was deleted", async () => {
    const tea = await addProduct("Tea to be deleted", "20.00", false);
    await sell(tea, "2013-03-06T10:00:00+08:00", 2);
    await withDatabase((sql) => sql`update app.products set is_show = false, is_del = true where id = ${tea}`);
    expect((await products("2013-03-06", "2013-03-06")).list).toEqual([row("Tea to be deleted", false, 2, "40.00")]);
  });

  // umbraco/Umbraco.Commerce.Issues#297: rows by title had the same product twice.
  it("has one row of a product that changed its title, under the latest of the period", async () => {
    const tea = await addProduct("First name", "20.00", false);
    await sell(tea, "2013-03-07T10:00:00+08:00");
    await change(tea, { title: "Second name" });
    await sell(tea, "2013-03-07T11:00:00+08:00", 2);
    await change(tea, { title: "Third name" });
    await sell(tea, "2013-03-08T11:00:00+08:00", 4);
    await change(tea, { title: "Name of today" });
    expect((await products("2013-03-07", "2013-03-07")).list).toEqual([row("Second name", false, 3, "60.00")]);
    expect((await products("2013-03-07", "2013-03-08")).list).toEqual([row("Third name", false, 7, "140.00")]);
  });

  it("has two rows of a product that changed its flag, each with the title of its own sales, on different pages, too", async () => {
    const goods = await addProduct("Plain goods", "30.00", false);
    await sell(goods, "2013-03-11T10:00:00+08:00", 3);
    await change(goods, { title: "Queue goods", is_queue_goods: true });
    await sell(goods, "2013-03-11T11:00:00+08:00", 2);
    await change(goods, { title: "Name of today", is_queue_goods: false });
    const days = between("2013-03-11", "2013-03-11");
    const page = async (number: number) =>
      (await as(admin).get(`/adminapi/report/product?limit=1&page=${number}&${days}`)).body;
    const [first, second, third] = await Promise.all([page(1), page(2), page(3)]);
    expect([first.count, first.list, second.list, third.list]).toEqual([
      2,
      [row("Plain goods", false, 3, "90.00")],
      [row("Queue goods", true, 2, "60.00")],
      [],
    ]);
  });

  it("counts a refund of a later period with the title and the flag of what was sold", async () => {
    const goods = await addProduct("Goods that return", "30.00", true);
    const order = await sell(goods, "2013-03-13T10:00:00+08:00", 3);
    await change(goods, { title: "Name of today", is_queue_goods: false });
    await refundUnits(order, 1, "2013-03-14T10:00:00+08:00");
    expect((await products("2013-03-14", "2013-03-14")).list).toEqual([
      expect.objectContaining({
        title: "Goods that return",
        is_queue_goods: true,
        orders: 0,
        units: 0,
        units_refunded: 1,
        refunded: "30.00",
      }),
    ]);
  });

  // kumatrk#5, trackworktime#133, nightscout#2123
  it("has the orders of the store's day, to the microsecond, as the report by day has", async () => {
    const tea = await addProduct("Tea around midnight", "1.00", false);
    const times = [
      "2013-03-20T23:59:59.999999",
      "2013-03-21T00:00:00",
      "2013-03-21T12:00:00",
      "2013-03-21T23:59:59.999999",
      "2013-03-22T00:00:00",
    ];
    for (const time of times) await sell(tea, `${time}+08:00`);
    const { periods } = (await as(admin).get("/adminapi/report?unit=day&from=2013-03-21&to=2013-03-21")).body;
    expect(periods.map(({ orders, paid }: Record<string, unknown>) => [orders, paid])).toEqual([[3, "3.00"]]);
    expect((await products("2013-03-21", "2013-03-21")).list).toEqual([row("Tea around midnight", false, 3, "3.00")]);
  });

  // AffiliateWP/AffiliateWP#2080, #2404
  it("adds up to the report by day, by level and to the orders, with renamed products, changed flags and refunds", async () => {
    const goods = [
      await addProduct("Goods 1", "19.99", false),
      await addProduct("Goods 2", "0.03", true),
      await addProduct("Goods 3", "7.77", true),
    ];
    const day = "2013-03-26";
    for (const [at, product] of goods.entries()) {
      const order = await sell(product, `${day}T0${at + 1}:00:00+08:00`, 3);
      await change(product, { title: `Goods ${at} later`, is_queue_goods: at === 0 });
      await sell(product, `${day}T1${at + 1}:00:00+08:00`, 2);
      await refundUnits(order, at + 1, `${day}T20:00:00+08:00`);
    }
    const { list, freight } = await products(day, day);
    expect(list).toHaveLength(6);
    const { totals } = (await as(admin).get(`/adminapi/report?unit=day&from=${day}&to=${day}`)).body;
    const levels = (await as(admin).get(`/adminapi/report/level?${between(day, day)}`)).body.list;
    const sum = (rows: Record<string, string>[], key: string) =>
      rows.reduce((cents, each) => cents + Math.round(Number(each[key]) * 100), 0);
    for (const key of ["paid", "refunded", "revenue"]) {
      const expected = sum([totals], key);
      expect(expected).toBeGreaterThan(0);
      expect(sum(list, key) + (key === "refunded" ? 0 : sum([{ freight }], "freight"))).toBe(expected);
      expect(sum(levels, key)).toBe(expected);
    }
  });
});

describe("an order that was received before it was shipped", () => {
  const receive = async (quantity = 1) => {
    const { id } = await buy(buyer, admin, await addProduct("Parcel", "5.00", false), quantity);
    expect((await as(buyer).put(`/api/order/${id}/receive`)).body).toMatchObject({
      state: "received",
      delivered_at: null,
    });
    return id as number;
  };
  const deliver = (id: number, json?: object) => as(admin).put(`/adminapi/order/${id}/deliver`, json);
  const parcel = { carrier: "SF Express", tracking_no: "SF1000200030004" };
  const told = (id: number) =>
    withDatabase(async (sql) =>
      (
        await sql`select e.type from app.events as e where e.subject = 'order' and e.subject_id = ${id} order by e.id`
      ).map(({ type }) => type as string),
    );

  // Guarantee money/shipping-after-receipt
  it("keeps the parcel that the store has acknowledged, and stays received", async () => {
    const id = await receive();
    const { status, body } = await deliver(id, parcel);
    expect([status, body.state, body.parcels.map(({ tracking_no }: typeof parcel) => tracking_no)]).toEqual([
      200,
      "received",
      [parcel.tracking_no],
    ]);
    expect((await as(buyer).get(`/api/order/${id}`)).body).toMatchObject({ state: "received", ...parcel });
    expect(body.paid_at <= body.delivered_at && body.delivered_at <= body.received_at).toBe(true);
  });

  it("is told as shipped once, however often the call is repeated", async () => {
    const id = await receive();
    const answers = await Promise.all(Array.from({ length: 4 }, () => deliver(id, parcel)));
    expect(answers.map(({ status, body }) => [status, body.parcels.length])).toEqual(answers.map(() => [200, 1]));
    expect((await told(id)).sort()).toEqual(["order.paid", "order.received", "order.shipped"]);
  });

  it("is marked as shipped without a parcel, and gets it by a later call", async () => {
    const id = await receive();
    const [one] = (await as(admin).put("/adminapi/shipping/deliver", { ids: [id] })).body.lines;
    expect(one.result).toBe("shipped");
    expect((await as(admin).put("/adminapi/shipping/deliver", { ids: [id] })).body.lines[0].result).toBe("unchanged");
    const { body } = await deliver(id, parcel);
    expect(body).toMatchObject({ state: "received", ...parcel });
    expect(body.delivered_at <= body.received_at).toBe(true);
    expect((await told(id)).filter((type) => type === "order.shipped")).toHaveLength(1);
  });

  // inventree/InvenTree#3085: completing without the number lost it.
  it("keeps its parcel in a call that names none, gets a number that was missing, and refuses another number", async () => {
    const id = await receive();
    await deliver(id, { carrier: parcel.carrier });
    expect((await deliver(id, { tracking_no: parcel.tracking_no })).body).toMatchObject(parcel);
    expect((await deliver(id)).body).toMatchObject(parcel);
    for (const other of [{ tracking_no: "SF9000800070006" }, { carrier: "Another carrier" }])
      expectProblem(await deliver(id, other), "order_state_conflict");
    expect((await as(buyer).get(`/api/order/${id}`)).body).toMatchObject({
      ...parcel,
      parcels: [expect.objectContaining(parcel)],
    });
  });

  it("is not shipped once it was refunded completely", async () => {
    const id = await receive();
    await as(admin).put(`/adminapi/order/${id}/refund`);
    expectProblem(await deliver(id, parcel), "order_state_conflict");
    expect((await as(buyer).get(`/api/order/${id}`)).body).toMatchObject({ delivered_at: null, parcels: [] });
  });
});

/** Whether the lists of a member and of the console have an order, by the state that they filter by. */
async function listed(member: Account, id: number): Promise<Record<string, [boolean, boolean]>> {
  const states = ["unpaid", "paid", "delivered", "received", "cancelled", "refunded"];
  const has = async (account: Account, path: string) =>
    (await as(account).get(path)).body.list.some((order: { id: number }) => order.id === id);
  const found = states.map(async (state) => [
    state,
    [
      await has(member, `/api/order?limit=100&state=${state}`),
      await has(admin, `/adminapi/order?limit=100&uid=${member.uid}&state=${state}`),
    ],
  ]);
  return Object.fromEntries((await Promise.all(found)).filter(([, [member, console]]: any) => member || console));
}

describe("an order that was refunded completely", () => {
  // themeum/tutor#1795, woocommerce/woocommerce-ios#3257
  // Guarantee money/order-refunded: A completely refunded order is shown as refunded, and is in no list of paid orders
  // or of orders to ship
  // By: app.shown_state
  it.each([
    ["paid", []],
    ["delivered", ["ship"]],
    ["received", ["ship", "receive"]],
  ])("has a state of its own for its buyer and administrators, when it was %s before", async (state, steps) => {
    const member = await signUp("Refunded");
    const { id, order_no } = await buy(member, admin, await addProduct("Refunded goods", "5.00", false), 2);
    if (steps.includes("ship")) await as(admin).put(`/adminapi/order/${id}/deliver`);
    if (steps.includes("receive")) await as(member).put(`/api/order/${id}/receive`);
    expect(await listed(member, id)).toEqual({ [state]: [true, true] });
    await as(admin).put(`/adminapi/order/${id}/refund`);
    const shown = { state, shown_state: "refunded", refund_status: 2, units_to_ship: 0 };
    expect((await as(member).get(`/api/order/${id}`)).body).toMatchObject(shown);
    expect((await as(admin).get(`/adminapi/order/${id}`)).body).toMatchObject(shown);
    expect(await listed(member, id)).toEqual({ refunded: [true, true] });
    const { orders } = (await as(admin).get(`/adminapi/search?text=${order_no}`)).body;
    expect(orders).toEqual([expect.objectContaining({ id, state, shown_state: "refunded" })]);
  });

  // woocommerce/woocommerce-ios#1859: the button to ship stayed, because freight was left.
  it("waits for no shipment, in no list, file or count, although its freight was not paid back", async () => {
    const tea = await addProduct("Tea with freight", "5.00", false);
    await withDatabase((sql) => sql`update app.products set freight = 3 where id = ${tea}`);
    const { id } = await buy(buyer, admin, tea);
    const toShip = async () =>
      (await as(admin).get(`/adminapi/shipping?product_id=${tea}`)).body.list.map((order: { id: number }) => order.id);
    const waiting = async () =>
      (await as(admin).get(`/adminapi/order?waiting=shipment&product_id=${tea}`)).body.list.length as number;
    expect(await toShip()).toEqual([id]);
    await as(admin).put(`/adminapi/order/${id}/refund`);
    expect([await toShip(), await waiting()]).toEqual([[], 0]);
    expect((await as(admin).get(`/adminapi/order/${id}`)).body).toMatchObject({
      shown_state: "refunded",
      units_to_ship: 0,
    });
    const lines = [
      {
        line: 2,
        order_no: (await as(admin).get(`/adminapi/order/${id}`)).body.order_no,
        carrier: "SF",
        tracking_no: "SF1000200030005",
      },
    ];
    expect((await as(admin).post("/adminapi/shipping/preview", { lines })).body.lines[0]).toMatchObject({
      result: "rejected",
      problem: "refunded",
    });
    expectProblem(await as(admin).put(`/adminapi/order/${id}/deliver`), "order_state_conflict");
    expectProblem(await as(buyer).put(`/api/order/${id}/receive`), "order_state_conflict");
  });
});

describe("an order that was refunded in part", () => {
  // magento/merchdocs#1632: a partly refunded order kept asking for the refunded units.
  it("keeps its state, and says how many units are left to ship until they are shipped", async () => {
    const member = await signUp("Partly refunded");
    const { id, lines } = await buy(member, admin, await addProduct("Three teas", "5.00", false), 3);
    const order = async () => (await as(member).get(`/api/order/${id}`)).body;
    expect(await order()).toMatchObject({ shown_state: "paid", units_to_ship: 3 });
    await as(admin).put(`/adminapi/order/${id}/refund`, { lines: [{ line_id: lines[0].id, quantity: 1 }] });
    expect(await order()).toMatchObject({ shown_state: "paid", refund_status: 3, units_to_ship: 2 });
    expect(await listed(member, id)).toEqual({ paid: [true, true] });
    const { list } = (await as(admin).get(`/adminapi/shipping?uid=${member.uid}`)).body;
    expect(list).toEqual([expect.objectContaining({ id, units_to_ship: 2 })]);
    expect((await as(member).post(`/api/order/${id}/refund`, { reason: "Another one" })).status).toBe(201);
    expect(await order()).toMatchObject({ shown_state: "paid", refund_status: 1, units_to_ship: 2 });
    await as(admin).put(`/adminapi/order/${id}/refund/refuse`);
    await as(admin).put(`/adminapi/order/${id}/deliver`);
    expect(await order()).toMatchObject({ shown_state: "delivered", refund_status: 3, units_to_ship: 0 });
  });
});
