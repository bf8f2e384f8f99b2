import { beforeAll, describe, expect, it } from "vitest";
import { type Account, addProduct, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { as, buy, buyAndSettle, place } from "./scenario.ts";

const NOBODY = 900_000_000_000_001;
let admin: Account;
let referrer: Account;
let buyer: Account;
let queueGoods: number;

beforeAll(async () => {
  [admin, referrer] = await Promise.all([signUpAdmin("Refund desk"), signUp("Referrer of refunds")]);
  buyer = await signUp("Returning buyer", referrer.uid);
  queueGoods = await addProduct("Returnable package", "3600.00", true);
  await buyAndSettle(referrer, admin, queueGoods);
});

describe("POST /api/order/{id}/refund", () => {
  const ask = (id: number, json?: unknown, who = buyer) => as(who).post(`/api/order/${id}/refund`, json);

  it("rejects a reason that is not valid Unicode, and names the field", async () => {
    const { id } = await buy(buyer, admin, queueGoods, 1);
    const { status, body } = await ask(id, { reason: "half a pair \ud800" });
    expect(status).toBe(422);
    expect(body.errors).toEqual([{ in: "body", pointer: "/reason", detail: "The text is not valid Unicode." }]);
  });

  it("refuses a reason with a word of the list", async () => {
    const use = (refused_words: string[]) => as(admin).put("/adminapi/system/settings", { refused_words });
    const { id } = await buy(buyer, admin, queueGoods, 1);
    await use(["disallowable"]);
    const reply = await ask(id, { reason: "This is DIS allowable." });
    await use([]);
    expectProblem(reply, "text_not_allowed");
    expect(reply.body.errors[0].pointer).toBe("/reason");
    expect((await as(buyer).get(`/api/order/${id}`)).body.refund_status).toBe(0);
  });

  it("requests the named units, and only once until the request is decided", async () => {
    const {
      id,
      lines: [line],
    } = await buy(buyer, admin, queueGoods, 2);
    const { status, body } = await ask(id, { lines: [{ line_id: line.id, quantity: 1 }], reason: "one too many" });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      order_id: id,
      state: "requested",
      amount: "3600.00",
      reason: "one too many",
      lines: [{ line_id: line.id, quantity: 1 }],
    });
    expect((await as(buyer).get(`/api/order/${id}`)).body.refund_status).toBe(1);
    expectProblem(await ask(id), "refund_state_conflict");
  });

  it("requests all units that are left if no lines are given", async () => {
    const { id } = await buy(buyer, admin, queueGoods, 2);
    expect((await ask(id)).body).toMatchObject({ amount: "7200.00", reason: "" });
  });

  it("rejects units that cannot be refunded", async () => {
    expectProblem(await ask((await place(buyer, queueGoods)).id), "order_state_conflict");
    const {
      id,
      lines: [line],
    } = await buy(buyer, admin, queueGoods);
    expectProblem(await ask(id, { lines: [{ line_id: line.id, quantity: 2 }] }), "refund_exceeds_order");
    expectProblem(await ask(id, { lines: [{ line_id: NOBODY, quantity: 1 }] }), "refund_exceeds_order");
    expectProblem(await ask(id, { lines: [] }), "invalid_argument");
    expectProblem(await ask(id, {}, referrer), "order_not_found");
    expectProblem(await ask(NOBODY), "order_not_found");
  });
});

describe("an open request", () => {
  const refuse = (id: number) => as(admin).put(`/adminapi/order/${id}/refund/refuse`);

  it("can be refused once, and then be made again", async () => {
    const { id } = await buy(buyer, admin, queueGoods);
    await as(buyer).post(`/api/order/${id}/refund`);
    expect((await refuse(id)).body).toMatchObject({ state: "refused" });
    expect((await as(buyer).get(`/api/order/${id}`)).body.refund_status).toBe(0);
    expect((await as(buyer).get(`/api/order/${id}/refund`)).body).toMatchObject({ count: 1, list: [{ state: "refused" }] });
    expectProblem(await refuse(id), "refund_not_found");
    expect((await as(buyer).post(`/api/order/${id}/refund`)).status).toBe(201);
  });

  it("is visible to administrators and to the buyer only", async () => {
    const {
      id,
      lines: [line],
    } = await buy(buyer, admin, queueGoods);
    await as(buyer).post(`/api/order/${id}/refund`, { reason: "broken" });
    const request = { state: "requested", reason: "broken", decided_at: null, lines: [{ line_id: line.id, quantity: 1 }] };
    expect((await as(admin).get(`/adminapi/order/${id}`)).body).toMatchObject({
      id,
      pay_type: "offline",
      pay_ref: `order-${id}`,
      refunds: [request],
    });
    expect((await as(buyer).get(`/api/order/${id}/refund`)).body).toMatchObject({ count: 1, list: [request] });
    expectProblem(await as(referrer).get(`/api/order/${id}/refund`), "order_not_found");
    expectProblem(await as(admin).get(`/adminapi/order/${NOBODY}`), "order_not_found");
    const unpaid = await place(buyer, queueGoods);
    expect((await as(buyer).get(`/api/order/${unpaid.id}/refund`)).body).toEqual({ list: [], count: 0 });
    expect((await as(admin).get(`/adminapi/order/${unpaid.id}`)).body).toMatchObject({ pay_type: null, refunds: [] });
  });

  it("is possible only for paid orders", async () => {
    expectProblem(await refuse((await place(buyer, queueGoods)).id), "order_state_conflict");
    expectProblem(await refuse(NOBODY), "order_not_found");
  });

  it("is completed by a refund without lines", async () => {
    const {
      id,
      lines: [line],
    } = await buy(buyer, admin, queueGoods, 3);
    await as(buyer).post(`/api/order/${id}/refund`, { lines: [{ line_id: line.id, quantity: 2 }] });
    expect((await as(admin).put(`/adminapi/order/${id}/refund`)).body).toMatchObject({ state: "refunded", amount: "7200.00" });
    expect((await as(buyer).get(`/api/order/${id}`)).body).toMatchObject({ refund_status: 3, queue_units: 1 });
  });
});

describe("PUT /adminapi/order/{id}/refund", () => {
  const refund = (id: number, json?: unknown) => as(admin).put(`/adminapi/order/${id}/refund`, json);
  const preview = (id: number, json?: unknown) => as(admin).post(`/adminapi/order/${id}/refund/preview`, json);

  it("reverses the commission as previewed", async () => {
    const earner = await signUp("Earner");
    await buyAndSettle(earner, admin, queueGoods);
    const { order_id, cycle } = await buyAndSettle(await signUp("Buyer below the earner", earner.uid), admin, queueGoods);
    const before = (await as(earner).get("/api/hjf/assets/overview")).body;
    const foreseen = (await preview(order_id)).body;
    expect(foreseen).toMatchObject({ amount: "3600.00", refund_status: 2, reopened_place: { uid: earner.uid, place: 1 } });
    expect((await as(earner).get("/api/hjf/assets/overview")).body).toEqual(before);

    expect((await refund(order_id)).body).toMatchObject({ state: "refunded", amount: "3600.00" });
    const after = (await as(earner).get("/api/hjf/assets/overview")).body;
    expect(Number(before.brokerage_price) - Number(after.brokerage_price)).toBe(Number(cycle.commission));
    const reversals = (await as(earner).get("/api/bill?type=brokerage_reversal")).body.list;
    const foreseenMoney = foreseen.reversals.filter(({ type }: { type: string }) => type === "brokerage_reversal");
    expect(reversals.map(({ brokerage }: { brokerage: string }) => brokerage)).toEqual(
      foreseenMoney.map(({ brokerage }: { brokerage: string }) => brokerage),
    );
  });

  it("has one effect per reference, even if it is repeated", async () => {
    const {
      id,
      lines: [line],
    } = await buy(buyer, admin, queueGoods, 2);
    const json = { lines: [{ line_id: line.id, quantity: 1 }], refund_ref: `desk-${crypto.randomUUID()}` };
    const first = await refund(id, json);
    expect((await refund(id, json)).body).toEqual(first.body);
    expectProblem(await refund(id, { ...json, lines: [{ line_id: line.id, quantity: 2 }] }), "refund_reference_used");
    expect((await as(buyer).get(`/api/order/${id}`)).body.queue_units).toBe(1);
  });

  it("rejects unknown orders and lines", async () => {
    for (const act of [refund, preview]) {
      const {
        id,
        lines: [line],
      } = await buy(buyer, admin, queueGoods);
      expectProblem(await act(id, { lines: [{ line_id: line.id, quantity: 2 }] }), "refund_exceeds_order");
      expectProblem(await act((await place(buyer, queueGoods)).id), "order_state_conflict");
      expectProblem(await act(NOBODY), "order_not_found");
      expectProblem(
        await act(id, {
          lines: [
            { line_id: line.id, quantity: 1 },
            { line_id: line.id, quantity: 1 },
          ],
        }),
        "invalid_argument",
      );
    }
  });
});
