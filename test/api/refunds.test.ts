import { beforeAll, describe, expect, it } from "vitest";
import { type Account, addProduct, call, expectProblem, signUp, signUpAdmin } from "./client.ts";
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
  const refuse = (id: number, json?: unknown) => as(admin).put(`/adminapi/order/${id}/refund/refuse`, json);

  it("can be refused once, and then be made again", async () => {
    const { id } = await buy(buyer, admin, queueGoods);
    await as(buyer).post(`/api/order/${id}/refund`);
    expect((await refuse(id)).body).toMatchObject({ state: "refused" });
    expect((await as(buyer).get(`/api/order/${id}`)).body.refund_status).toBe(0);
    expect((await as(buyer).get(`/api/order/${id}/refund`)).body).toMatchObject({
      count: 1,
      list: [{ state: "refused" }],
    });
    expectProblem(await refuse(id), "refund_not_found");
    expect((await as(buyer).post(`/api/order/${id}/refund`)).status).toBe(201);
  });

  it("can be refused with a reason, which the buyer reads, and which a repeated request does not change", async () => {
    const { id } = await buy(buyer, admin, queueGoods);
    await as(buyer).post(`/api/order/${id}/refund`, { reason: "too late" });
    expectProblem(await refuse(id, { reason: "x".repeat(501) }), "invalid_argument");
    expectProblem(await refuse(id, { reason: "bell \u0007" }), "invalid_argument");
    const headers = { "idempotency-key": `refuse-${id}` };
    const send = (reason: string) =>
      call("PUT", `/adminapi/order/${id}/refund/refuse`, { token: admin.token, json: { reason }, init: { headers } });
    const refused = { state: "refused", reason: "too late", refusal_reason: "It was worn." };
    expect((await send("It was worn.")).body).toMatchObject(refused);
    expect((await send("It was worn.")).body).toMatchObject(refused);
    expectProblem(await send("It was lost."), "idempotency_key_reused");
    expect((await as(buyer).get(`/api/order/${id}/refund`)).body.list).toMatchObject([refused]);
    expect((await as(admin).get(`/adminapi/order/${id}`)).body.refunds).toMatchObject([refused]);
  });

  it("shows administrators what its refusal would change", async () => {
    const { id } = await buy(buyer, admin, queueGoods);
    const path = `/adminapi/order/${id}/refund/refuse/preview`;
    expectProblem(await as(admin).get(path), "refund_not_found");
    await as(buyer).post(`/api/order/${id}/refund`);
    const { status, body } = await as(admin).get(path);
    expect(status).toBe(200);
    expect(body).toMatchObject({ rises: [] });
    expectProblem(await as(admin).get(`/adminapi/order/${NOBODY}/refund/refuse/preview`), "order_not_found");
    expectProblem(await as(buyer).get(path), "forbidden");
  });

  it("is visible to administrators and to the buyer only", async () => {
    const {
      id,
      lines: [line],
    } = await buy(buyer, admin, queueGoods);
    await as(buyer).post(`/api/order/${id}/refund`, { reason: "broken" });
    const request = {
      state: "requested",
      reason: "broken",
      decided_at: null,
      lines: [{ line_id: line.id, quantity: 1 }],
    };
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
    expect((await as(admin).put(`/adminapi/order/${id}/refund`)).body).toMatchObject({
      state: "refunded",
      amount: "7200.00",
    });
    expect((await as(buyer).get(`/api/order/${id}`)).body).toMatchObject({ refund_status: 3, queue_units: 1 });
  });
});

describe("an answer to a request", () => {
  const refund = (id: number, json?: unknown) => as(admin).put(`/adminapi/order/${id}/refund`, json);
  const preview = async (id: number, json?: unknown) =>
    (await as(admin).post(`/adminapi/order/${id}/refund/preview`, json)).body;
  const takeBack = (id: number, who = buyer) => as(who).delete(`/api/order/${id}/refund`);
  const refunds = async (id: number) => (await as(buyer).get(`/api/order/${id}/refund`)).body.list;
  const statusOf = async (id: number) => (await as(buyer).get(`/api/order/${id}`)).body.refund_status;
  /** What the buyer reads about an order, the oldest first. */
  const told = async (id: number) =>
    ((await as(buyer).get("/api/notice?limit=50")).body.list as { type: string; subject_id: number }[])
      .filter(({ type, subject_id }) => subject_id === id && type.startsWith("refund."))
      .map(({ type }) => type)
      .reverse();
  /** An order of which the buyer has asked for units. */
  async function asked(units: number, wanted: number) {
    const {
      id,
      lines: [line],
    } = await buy(buyer, admin, queueGoods, units);
    const lines = (quantity: number) => [{ line_id: line.id as number, quantity }];
    expect(
      (await as(buyer).post(`/api/order/${id}/refund`, { lines: lines(wanted), reason: "Too small" })).status,
    ).toBe(201);
    return { id: id as number, lines };
  }

  // Guarantee money/refund-one-answer
  it("by a refund that names exactly what was asked for, as the console does, is one row and one notice", async () => {
    const { id, lines } = await asked(2, 2);
    expect(await preview(id, { lines: lines(2) })).toMatchObject({ request_state: "refunded", refund_status: 2 });
    expect((await refund(id, { lines: lines(2) })).body).toMatchObject({
      state: "refunded",
      amount: "7200.00",
      reason: "Too small",
      lines: [{ quantity: 2, asked: 2 }],
    });
    expect(await refunds(id)).toMatchObject([{ state: "refunded", amount: "7200.00" }]);
    expect(await told(id)).toEqual(["refund.refunded"]);
    expect(await statusOf(id)).toBe(2);
  });

  it("by fewer units grants a part, and keeps what was asked for", async () => {
    const { id, lines } = await asked(3, 2);
    expect(await preview(id, { lines: lines(1) })).toMatchObject({
      request_state: "partly_refunded",
      refund_status: 3,
    });
    await refund(id, { lines: lines(1) });
    expect(await refunds(id)).toMatchObject([
      { state: "partly_refunded", amount: "3600.00", lines: [{ quantity: 1, asked: 2 }] },
    ]);
    expect(await told(id)).toEqual(["refund.partly_refunded"]);
    expect(await statusOf(id)).toBe(3);
    expectProblem(await as(admin).put(`/adminapi/order/${id}/refund/refuse`), "refund_not_found");
    expect((await as(buyer).post(`/api/order/${id}/refund`)).status, "the rest can be asked for again").toBe(201);
  });

  it("is none by a refund beside the request, which stays open with what is left of it", async () => {
    const { id, lines } = await asked(2, 2);
    const beside = { lines: lines(1), answers_request: false, refund_ref: `beside-${crypto.randomUUID()}` };
    expect(await preview(id, { lines: lines(1), answers_request: false })).toMatchObject({
      request_state: "requested",
      refund_status: 1,
    });
    const first = await refund(id, beside);
    expect(first.body).toMatchObject({ state: "refunded", amount: "3600.00", lines: [{ quantity: 1, asked: null }] });
    expect((await refund(id, beside)).body).toEqual(first.body);
    expect(await refunds(id)).toMatchObject([
      { state: "refunded", amount: "3600.00" },
      { state: "requested", amount: "3600.00", lines: [{ quantity: 1, asked: 2 }] },
    ]);
    expect(await statusOf(id)).toBe(1);
    await refund(id, { lines: lines(1), answers_request: false });
    expect((await refunds(id)).at(-1)).toMatchObject({
      state: "partly_refunded",
      amount: "0.00",
      lines: [{ quantity: 0, asked: 2 }],
    });
    expect(await statusOf(id)).toBe(2);
    expectProblem(await refund(id, { lines: lines(1), answers_request: true }), "refund_exceeds_order");
  });

  it("needs a request, if the refund is to be one", async () => {
    const { id } = await buy(buyer, admin, queueGoods);
    expectProblem(await refund(id, { answers_request: true }), "refund_not_found");
    expect((await preview(id)).request_state).toBeNull();
  });

  it("is not needed any more when the buyer takes the request back, which happens once", async () => {
    const { id } = await asked(2, 1);
    expectProblem(await takeBack(id, referrer), "order_not_found");
    expect((await takeBack(id)).body).toMatchObject({ state: "taken_back", lines: [{ quantity: 1, asked: 1 }] });
    expect(await statusOf(id)).toBe(0);
    expectProblem(await takeBack(id), "refund_not_found");
    expectProblem(await as(admin).put(`/adminapi/order/${id}/refund/refuse`), "refund_not_found");
    expect((await as(admin).get(`/adminapi/event?order_id=${id}&type=refund.taken_back`)).body.list).toMatchObject([
      { type: "refund.taken_back", subject_id: id, cause: "member" },
    ]);
    expect(await told(id), "members are not told what they did").toEqual([]);
  });

  it("is for the store to give once the goods were sent back", async () => {
    const address = { name: "Returns", phone: "0755 2660 0000", region: ["广东省", "深圳市"], street: "Gate 4" };
    await as(admin).put("/adminapi/system/settings", { return_address: address });
    const { id } = await asked(1, 1);
    await as(admin).put(`/adminapi/order/${id}/deliver`);
    await as(admin).put(`/adminapi/order/${id}/refund/return`);
    await as(buyer).put(`/api/order/${id}/refund/return`, { carrier: "SF", tracking_no: "R1" });
    expectProblem(await takeBack(id), "refund_state_conflict");
    expect((await refunds(id))[0].state).toBe("requested");
  });
});

describe("PUT /adminapi/order/{id}/refund", () => {
  const refund = (id: number, json?: unknown) => as(admin).put(`/adminapi/order/${id}/refund`, json);
  const preview = (id: number, json?: unknown) => as(admin).post(`/adminapi/order/${id}/refund/preview`, json);

  it("reverses the commission as previewed", async () => {
    const earner = await signUp("Earner");
    await buyAndSettle(earner, admin, queueGoods);
    const { order_id, cycle } = await buyAndSettle(
      await signUp("Buyer below the earner", earner.uid),
      admin,
      queueGoods,
    );
    const before = (await as(earner).get("/api/hjf/assets/overview")).body;
    const foreseen = (await preview(order_id)).body;
    expect(foreseen).toMatchObject({
      amount: "3600.00",
      refund_status: 2,
      reopened_place: { uid: earner.uid, place: 1 },
    });
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
