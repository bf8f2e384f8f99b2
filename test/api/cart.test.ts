import { beforeAll, describe, expect, it } from "vitest";
import { type Account, call, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { as } from "./scenario.ts";

let admin: Account;
let member: Account;

beforeAll(async () => {
  [admin, member] = await Promise.all([signUpAdmin("Grocer"), signUp("Customer")]);
});

const add = async (json: object = {}) =>
  (await as(admin).post("/adminapi/product", { title: "Cart tea", price: "19.90", ...json })).body.id as number;
const check = (items: object[]) => call("POST", "/api/cart", { json: { items } });

describe("POST /api/cart", () => {
  it("tells a visitor which lines can be ordered, and says so in the same words as an order", async () => {
    const [tea, few, gone] = [await add(), await add({ stock: 2 }), await add({ is_show: false })];
    const items = [
      { product_id: tea, quantity: 3, price: "25.00" },
      { product_id: few, quantity: 3, price: "19.90" },
      { product_id: gone, quantity: 1, price: "19.90" },
    ];
    const { status, body } = await check(items);
    expect(status).toBe(200);
    expect(body.lines).toMatchObject([
      { product_id: tea, title: "Cart tea", price: "19.90", problem: null, is_price_changed: true },
      { product_id: few, stock: 2, problem: "too_few", is_price_changed: false },
      { product_id: gone, title: null, price: null, stock: null, problem: "unavailable", is_price_changed: false },
    ]);
    expect(body.total_price).toBe("59.70");
    const order = (line: number) =>
      as(member).post("/api/order", {
        items: [{ product_id: items[line]!.product_id, quantity: items[line]!.quantity }],
      });
    expectProblem(await order(1), "out_of_stock");
    expectProblem(await order(2), "product_unavailable");
    expect((await order(0)).body.total_price).toBe(body.total_price);
  });

  // Guarantee money/cart
  it("is ordered as one order of several products, whose stock it takes together", async () => {
    const [tea, cups] = [await add({ stock: 20 }), await add({ price: "10.00", freight: "2.00", stock: 1 })];
    const items = [
      { product_id: tea, quantity: 2 },
      { product_id: cups, quantity: 1 },
    ];
    expect((await check(items)).body.total_price).toBe("49.80");
    const { status, body } = await as(member).post("/api/order", { items, expected_price: "51.80" });
    expect(status).toBe(201);
    expect(body.lines.map(({ product_id, quantity }: Record<string, number>) => [product_id, quantity])).toEqual([
      [tea, 2],
      [cups, 1],
    ]);
    expect(
      (await check(items)).body.lines.map(({ stock, problem }: Record<string, unknown>) => [stock, problem]),
    ).toEqual([
      [18, null],
      [0, "sold_out"],
    ]);
    // All or nothing.
    expectProblem(await as(member).post("/api/order", { items }), "out_of_stock");
    expect((await check(items)).body.lines[0].stock).toBe(18);
  });

  it.each([
    [[], "/items"],
    [Array(51).fill({ product_id: 1, quantity: 1 }), "/items"],
    [[{ product_id: 0, quantity: 1 }], "/items/0/product_id"],
    [[{ product_id: 1, quantity: 10_000 }], "/items/0/quantity"],
    [[{ product_id: 1, quantity: 1, price: 19.9 }], "/items/0/price"],
    [[{ product_id: 1, quantity: 1, is_chosen: "yes" }], "/items/0/is_chosen"],
    [[{ product_id: 1, quantity: 1, discount: "5.00" }], "/items/0/discount"],
  ])("rejects %j", async (items, pointer) => {
    const reply = await check(items);
    expectProblem(reply, "invalid_argument");
    expect(reply.body.errors).toEqual([expect.objectContaining({ pointer })]);
  });

  it("rejects a product that is there twice, in the language of the caller", async () => {
    const items = Array(2).fill({ product_id: await add(), quantity: 1 });
    const reply = await call("POST", "/api/cart", {
      json: { items },
      init: { headers: { "accept-language": "zh-CN" } },
    });
    expectProblem(reply, "invalid_argument");
    expect(reply.body.detail).toBe("购物车中每件商品只能出现一次。");
  });
});
