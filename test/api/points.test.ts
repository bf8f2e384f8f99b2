import { beforeAll, describe, expect, it } from "vitest";
import { type Account, addProduct, call, expectProblem, givePoints, signUp, signUpAdmin } from "./client.ts";

let admin: Account;
let buyer: Account;
let tea: number;
let cup: number;
let queueGoods: number;

beforeAll(async () => {
  [admin, buyer] = await Promise.all([signUpAdmin("Points cashier"), signUp("Points spender")]);
  [tea, cup, queueGoods] = [
    await addProduct("Points tea", "9.99", false),
    await addProduct("Points cup", "20.00", false),
    await addProduct("Points flagship", "3600.00", true),
  ];
  await givePoints(buyer, "80.8");
});

const available = async () =>
  (await call("GET", "/api/hjf/assets/overview", { token: buyer.token })).body.available_points as number;
const items = () => [
  { product_id: tea, quantity: 3 },
  { product_id: queueGoods, quantity: 1 },
  { product_id: cup, quantity: 1 },
];
const place = (json: object, key?: string) =>
  call("POST", "/api/order", {
    token: buyer.token,
    json,
    ...(key && { init: { headers: { "Idempotency-Key": key } } }),
  });
const preview = (json: object) => call("POST", "/api/order/preview", { token: buyer.token, json });

describe("points at checkout", () => {
  it("pay what the preview said, and return with refunded units", async () => {
    const foreseen = await preview({ items: items(), use_points: 30 });
    expect(foreseen).toMatchObject({
      status: 200,
      body: {
        total_price: "3649.97",
        paid_by_points: "24.98",
        points_spent: 24.98,
        pay_price: "3624.99",
        points: { available: 80.8, usable: 24.98, pays: "24.98", reason: null },
        lines: [
          { paid_by_points: "14.98", points: 14.98, paid: "14.99" },
          { paid_by_points: "0.00", paid: "3600.00" },
          { paid_by_points: "10.00", paid: "10.00" },
        ],
      },
    });
    expectProblem(
      await place({ items: items(), use_points: 20, expected_price: foreseen.body.pay_price }),
      "price_changed",
    );
    const placed = await place({ items: items(), use_points: 30, expected_price: foreseen.body.pay_price });
    expect(placed).toMatchObject({
      status: 201,
      body: {
        pay_price: "3624.99",
        paid_by_points: "24.98",
        points_spent: 24.98,
        points_left: 24.98,
        queue_base: "3600.00",
        lines: [{ points: 14.98 }, { points: 0 }, { points: 10 }],
      },
    });
    expect(await available()).toBe(55.82);
    const { id, lines } = placed.body;
    const bill = (await call("GET", "/api/bill?type=points_spent", { token: buyer.token })).body;
    expect(bill).toMatchObject({
      count: 1,
      list: [{ order_id: id, source: "checkout", available_points: -24.98, basis: 24.98, rate: 1 }],
    });

    await call("PUT", `/adminapi/order/${id}/pay`, { token: admin.token });
    const json = { lines: [{ line_id: lines[0].id, quantity: 1 }] };
    expect(await call("POST", `/adminapi/order/${id}/refund/preview`, { token: admin.token, json })).toMatchObject({
      status: 200,
      body: {
        points: 4.9934,
        reversals: [
          { type: "points_returned", uid: buyer.uid, available_points: 4.9934, available_points_after: 60.8134 },
        ],
      },
    });
    expect((await call("PUT", `/adminapi/order/${id}/refund`, { token: admin.token, json })).body).toMatchObject({
      amount: "5.00",
      points: 4.9934,
    });
    expect((await call("PUT", `/adminapi/order/${id}/refund`, { token: admin.token })).body).toMatchObject({
      points: 19.9866,
    });
    expect((await call("GET", `/adminapi/order/${id}`, { token: admin.token })).body).toMatchObject({
      points_spent: 24.98,
      points_left: 0,
      refunds: [{ points: 19.9866 }, { points: 4.9934 }],
    });
    expect(await available()).toBe(80.8);
  });

  it("are taken once for a repeated request, and return when the order is cancelled", async () => {
    const [key, json] = [crypto.randomUUID(), { items: [{ product_id: cup, quantity: 1 }], use_points: 5 }];
    const first = await place(json, key);
    expect((await place(json, key)).text).toBe(first.text);
    expect(await available()).toBe(75.8);
    expectProblem(await place({ ...json, use_points: 6 }, key), "idempotency_key_reused");
    const cancelled = await call("PUT", `/api/order/${first.body.id}/cancel`, { token: buyer.token });
    expect(cancelled.body).toMatchObject({ state: "cancelled", points_spent: 5, points_left: 0 });
    expect(await available()).toBe(80.8);
  });

  it("never pay for queue goods", async () => {
    const json = { items: [{ product_id: queueGoods, quantity: 1 }], use_points: 50 };
    expect((await preview(json)).body).toMatchObject({
      pay_price: "3600.00",
      points_spent: 0,
      points: { usable: 0, pays: "0.00", reason: "only_queue_goods" },
    });
    expect((await place(json)).body).toMatchObject({ pay_price: "3600.00", paid_by_points: "0.00" });
  });

  it.each([-1, "5", 1e15])("are rejected if %j of them are to be used", async (use_points) => {
    for (const reply of [await place({ items: items(), use_points }), await preview({ items: items(), use_points })]) {
      expectProblem(reply, "invalid_argument");
      expect(reply.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual(["/use_points"]);
    }
  });
});

describe("the terms of points", () => {
  const set = (json: object) => call("PUT", "/adminapi/system/settings", { token: admin.token, json });

  it("are settings", async () => {
    expect((await set({ points_rate: 1, points_max_share: 0.5 })).body).toMatchObject({
      points_rate: 1,
      points_max_share: 0.5,
    });
  });

  it.each([
    [{ points_rate: 0 }, "/points_rate"],
    [{ points_rate: 1.001 }, "/points_rate"],
    [{ points_max_share: 1 }, "/points_max_share"],
    [{ points_max_share: 0.123456 }, "/points_max_share"],
  ])("are rejected: %j", async (json, pointer) => {
    const reply = await set(json);
    expectProblem(reply, "invalid_argument");
    expect(reply.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual([pointer]);
  });
});
