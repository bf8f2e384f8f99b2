import { beforeAll, describe, expect, it } from "vitest";
import { type Account, addProduct, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { as, buy } from "./scenario.ts";

let admin: Account;
let buyer: Account;
let neighbour: Account;
let product: number;

beforeAll(async () => {
  [admin, buyer, neighbour] = await Promise.all([
    signUpAdmin("Refund desk"),
    signUp("Buyer who keeps"),
    signUp("Neighbour who looks"),
  ]);
  product = await addProduct("Lamp", "100.00", false);
  expect((await as(admin).put(`/adminapi/product/${product}`, { freight: "12.00" })).status).toBe(200);
});

/** A paid order of two lamps, with its line. */
async function lamps(): Promise<{ id: number; line: number }> {
  const order = await buy(buyer, admin, product, 2);
  return { id: order.id as number, line: order.lines[0].id as number };
}
const refund = (id: number, json?: unknown) => as(admin).put(`/adminapi/order/${id}/refund`, json);
const preview = (id: number, json?: unknown) => as(admin).post(`/adminapi/order/${id}/refund/preview`, json);

describe("a refund of an administrator", () => {
  it("names units, an amount of a line, an amount of the order, and freight", async () => {
    const { id, line } = await lamps();
    expect((await refund(id, { lines: [{ line_id: line, amount: "10.00" }] })).body).toMatchObject({
      state: "refunded",
      amount: "10.00",
      freight: "0.00",
      lines: [{ line_id: line, quantity: 0, concession: "10.00" }],
    });
    expect((await refund(id, { amount: "20", freight: "4.00" })).body).toMatchObject({
      amount: "24.00",
      freight: "4.00",
      lines: [{ line_id: line, quantity: 0, concession: "20.00" }],
    });
    expect((await refund(id, { lines: [{ line_id: line, quantity: 1 }] })).body).toMatchObject({
      amount: "85.00",
      lines: [{ line_id: line, quantity: 1, concession: "0.00" }],
    });
    // The last unit, before the shipment: with the freight that is left.
    expect((await refund(id)).body).toMatchObject({ amount: "105.00", freight: "20.00" });
    expectProblem(await refund(id, { lines: [], freight: "0.01" }), "refund_exceeds_order");
    expect((await as(admin).get(`/adminapi/order/${id}`)).body).toMatchObject({
      refund_status: 2,
      shown_state: "refunded",
    });
  });

  it("is previewed: what the buyer gets of each line and of the freight", async () => {
    const { id, line } = await lamps();
    expect((await preview(id, { amount: "30.00", freight: "1.5" })).body).toMatchObject({
      amount: "31.50",
      freight: "1.50",
      freight_left: "24.00",
      lines: [{ line_id: line, units: 0, amount: "30.00", left: "200.00" }],
      refund_status: 3,
    });
    expect((await preview(id)).body).toMatchObject({
      amount: "224.00",
      freight: "24.00",
      lines: [{ line_id: line, units: 2, amount: "200.00", left: "200.00" }],
      refund_status: 2,
    });
  });

  it.each<[string, (line: number) => unknown, number]>([
    ["a line with units and an amount", (line) => ({ lines: [{ line_id: line, quantity: 1, amount: "1.00" }] }), 422],
    ["a line with neither", (line) => ({ lines: [{ line_id: line }] }), 422],
    ["lines and an amount of the order", (line) => ({ lines: [{ line_id: line, quantity: 1 }], amount: "1.00" }), 422],
    ["an amount of three decimals", (line) => ({ lines: [{ line_id: line, amount: "1.001" }] }), 422],
    ["a negative amount", (line) => ({ lines: [{ line_id: line, amount: "-1.00" }] }), 422],
    ["an amount of 0.00", (line) => ({ lines: [{ line_id: line, amount: "0.00" }] }), 422],
    ["a number in place of an amount", (line) => ({ lines: [{ line_id: line, amount: 1 }] }), 422],
    ["a huge amount", (line) => ({ lines: [{ line_id: line, amount: "999999999999.99" }] }), 422],
    ["more than is left", (line) => ({ lines: [{ line_id: line, amount: "200.01" }] }), 422],
    ["more of the order than is left", () => ({ amount: "200.01" }), 422],
    ["more freight than is left", () => ({ freight: "24.01" }), 422],
    ["freight of three decimals", () => ({ freight: "0.001" }), 422],
    ["nothing", () => ({ lines: [] }), 422],
    ["an amount of nothing", () => ({ amount: "0.00" }), 422],
    ["an unknown field", () => ({ sum: "1.00" }), 422],
  ])("is rejected for %s, and so is its preview", async (_, json, status) => {
    const { id, line } = await lamps();
    for (const reply of [await preview(id, json(line)), await refund(id, json(line))])
      expect(reply.status).toBe(status);
    expect((await as(admin).get(`/adminapi/order/${id}`)).body).toMatchObject({ refund_status: 0, refunds: [] });
  });

  it("with a reference is carried out once", async () => {
    const { id } = await lamps();
    const first = await refund(id, { amount: "30.00", refund_ref: "kept" });
    expect((await refund(id, { amount: "30", refund_ref: "kept" })).body.id).toBe(first.body.id);
    expectProblem(await refund(id, { amount: "30.01", refund_ref: "kept" }), "refund_reference_used");
    expectProblem(await refund(id, { refund_ref: "kept" }), "refund_reference_used");
    expectProblem(await refund(id, { amount: "30.00", freight: "1.00", refund_ref: "kept" }), "refund_reference_used");
  });
});

describe("the buyer", () => {
  // Guarantee money/refund-preview: The amount that a buyer sees before a request is the amount of the request
  // By: one function, app.refund_preview_json
  it("sees before the request what it would pay back, and the request says the same", async () => {
    const { id, line } = await lamps();
    const ask = (json?: unknown, who = buyer) => as(who).post(`/api/order/${id}/refund/preview`, json);
    expect((await ask({ lines: [{ line_id: line, quantity: 1 }] })).body).toEqual({
      amount: "100.00",
      freight: "0.00",
      freight_left: "24.00",
      points: 0,
      lines: [{ line_id: line, units: 1, amount: "100.00", left: "200.00" }],
    });
    expect((await ask()).body).toMatchObject({ amount: "224.00", freight: "24.00" });
    expectProblem(await ask({ lines: [{ line_id: line, quantity: 3 }] }), "refund_exceeds_order");
    expect((await ask({ lines: [{ line_id: line, amount: "1.00" }] })).status).toBe(422);
    expectProblem(await ask(undefined, neighbour), "order_not_found");
    expect((await as(buyer).get(`/api/order/${id}/refund`)).body.list).toEqual([]);
    expect((await as(buyer).post(`/api/order/${id}/refund`, { reason: "Unwanted" })).body).toMatchObject({
      amount: "224.00",
      freight: "24.00",
    });
    expect((await refund(id)).body).toMatchObject({ amount: "224.00", freight: "24.00" });
  });

  it("sees no freight of an order that was shipped", async () => {
    const { id } = await lamps();
    await as(admin).put(`/adminapi/order/${id}/deliver`);
    expect((await as(buyer).post(`/api/order/${id}/refund/preview`)).body).toMatchObject({
      amount: "200.00",
      freight: "0.00",
      freight_left: "24.00",
    });
  });
});

it("the report of products and the freight that was refunded add up to what was refunded", async () => {
  const from = new Date(Date.now() - 60_000).toISOString();
  const { id, line } = await lamps();
  await refund(id, { lines: [{ line_id: line, amount: "0.01" }] });
  await refund(id);
  const to = new Date(Date.now() + 60_000).toISOString();
  const { body: products } = await as(admin).get(`/adminapi/report/product?from=${from}&to=${to}&limit=100`);
  const { body: levels } = await as(admin).get(`/adminapi/report/level?from=${from}&to=${to}`);
  const cents = (list: { refunded: string }[]) =>
    list.reduce((sum, { refunded }) => sum + Math.round(Number(refunded) * 100), 0);
  expect(Number(products.freight_refunded)).toBeGreaterThanOrEqual(24);
  expect(cents(products.list) + Math.round(Number(products.freight_refunded) * 100)).toBe(cents(levels.list));
});
