import { beforeAll, describe, expect, it, vi } from "vitest";
import { type Account, addProduct, call, expectProblem, signUp, signUpAdmin } from "./client.ts";

let admin: Account;
let buyer: Account;
let stranger: Account;
let queueGoods: number;
let tea: number;

beforeAll(async () => {
  [admin, buyer, stranger] = await Promise.all([signUpAdmin("Cashier"), signUp("Buyer"), signUp("Stranger")]);
  queueGoods = await addProduct("Flagship package", "3600.00", true);
  tea = await addProduct("Tea", "19.90", false);
});

const place = (account: Account, items: unknown) =>
  call("POST", "/api/order", { token: account.token, json: { items } });
const pay = (id: number, json?: unknown) => call("PUT", `/adminapi/order/${id}/pay`, { token: admin.token, json });
const newOrder = async () => (await place(buyer, [{ product_id: queueGoods, quantity: 1 }])).body.id as number;

describe("POST /api/order", () => {
  it("returns 201 with the order and exact amounts", async () => {
    const { status, body } = await place(buyer, [
      { product_id: queueGoods, quantity: 2 },
      { product_id: tea, quantity: 3 },
    ]);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      uid: buyer.uid,
      state: "unpaid",
      total_price: "7259.70",
      queue_base: "7200.00",
      queue_units: 2,
      lines: [
        { product_id: queueGoods, is_queue_goods: true, paid: "7200.00" },
        { product_id: tea, paid: "59.70" },
      ],
    });
  });

  it.each([
    [undefined, "/items"],
    [[], "/items"],
    [[{ product_id: 1 }], "/items/0/quantity"],
    [[{ product_id: 1, quantity: 0 }], "/items/0/quantity"],
    [[{ product_id: 1, quantity: 10_000 }], "/items/0/quantity"],
    [
      [
        { product_id: 1, quantity: 1 },
        { product_id: "1", quantity: 1 },
      ],
      "/items/1/product_id",
    ],
    [[{ product_id: 1, quantity: 1, price: "0.01" }], "/items/0/price"],
    [[{ product_id: 1, quantity: 1, discount: "1.00" }], "/items/0/discount"],
  ])("rejects %j and names %s", async (items, pointer) => {
    const reply = await place(buyer, items);
    expectProblem(reply, "invalid_argument");
    expect(reply.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual([pointer]);
  });

  it("requires a body", async () => {
    expectProblem(await call("POST", "/api/order", { token: buyer.token }), "invalid_argument");
  });

  it("rejects products that are not on sale", async () => {
    expectProblem(await place(buyer, [{ product_id: 900_000_000_000_001, quantity: 1 }]), "product_unavailable");
  });
});

describe("POST /api/order/preview", () => {
  it("returns what the order would cost, and places no order", async () => {
    const json = {
      items: [
        { product_id: queueGoods, quantity: 2 },
        { product_id: tea, quantity: 1 },
      ],
    };
    const before = (await call("GET", "/api/order", { token: buyer.token })).body.count;
    const preview = await call("POST", "/api/order/preview", { token: buyer.token, json });
    expect(preview).toMatchObject({
      status: 200,
      body: {
        pay_price: "7219.90",
        freight: "0.00",
        lines: [{ title: "Flagship package", quantity: 2 }, { paid: "19.90" }],
      },
    });
    expect((await call("GET", "/api/order", { token: buyer.token })).body.count).toBe(before);
    const placed = await call("POST", "/api/order", {
      token: buyer.token,
      json: { ...json, expected_price: preview.body.pay_price },
    });
    expect(placed).toMatchObject({ status: 201, body: { pay_price: "7219.90" } });
  });

  it("rejects what is not on sale and what is not in stock", async () => {
    const { id } = (
      await call("POST", "/adminapi/product", { token: admin.token, json: { title: "Rare tea", price: "1", stock: 1 } })
    ).body;
    const preview = (product_id: number, quantity: number) =>
      call("POST", "/api/order/preview", { token: buyer.token, json: { items: [{ product_id, quantity }] } });
    expectProblem(await preview(900_000_000_000_001, 1), "product_unavailable");
    expectProblem(await preview(id, 2), "out_of_stock");
    expect((await place(buyer, [{ product_id: id, quantity: 1 }])).status).toBe(201);
    expectProblem(await preview(id, 1), "out_of_stock");
    expectProblem(await place(buyer, [{ product_id: id, quantity: 1 }]), "out_of_stock");
  });
});

describe("an order that is shipped", () => {
  const address = { name: "Lin", phone: "13800000000", region: ["广东省", "深圳市"], street: "Nanhai Road 1" };
  const order = (account: Account, json: object) =>
    call("POST", "/api/order", { token: account.token, json: { items: [{ product_id: tea, quantity: 1 }], ...json } });

  it("goes to an address of the address book, with a carrier that can be corrected until it is received", async () => {
    const saved = await call("POST", "/api/address", { token: buyer.token, json: address });
    expect(saved).toMatchObject({ status: 201, body: { ...address, is_default: true } });
    const { id } = (await order(buyer, { address_id: saved.body.id, remark: "Ring twice" })).body;
    await pay(id);
    const deliver = (json?: object) => call("PUT", `/adminapi/order/${id}/deliver`, { token: admin.token, json });
    expectProblem(await deliver({ carrier: " " }), "invalid_argument");
    expect((await deliver({ carrier: "SF", tracking_no: "SF1001" })).body).toMatchObject({
      state: "delivered",
      address,
      remark: "Ring twice",
      carrier: "SF",
      tracking_no: "SF1001",
    });
    expect((await deliver({ tracking_no: "SF1002" })).body).toMatchObject({ carrier: "SF", tracking_no: "SF1002" });
    expect((await deliver()).body).toMatchObject({ carrier: "SF", tracking_no: "SF1002" });
    await call("PUT", `/api/order/${id}/receive`, { token: buyer.token });
    expectProblem(await deliver({ tracking_no: "SF1003" }), "order_state_conflict");
    expect((await deliver({ tracking_no: "SF1002" })).body).toMatchObject({ state: "received", tracking_no: "SF1002" });
  });

  it("never goes to the address of somebody else, at another price than was agreed, or to no address at all", async () => {
    const { id } = (await call("POST", "/api/address", { token: buyer.token, json: address })).body;
    expectProblem(await order(stranger, { address_id: id }), "address_not_found");
    expectProblem(await order(stranger, { expected_price: "19.89" }), "price_changed");
    expectProblem(await order(stranger, { address: { ...address, street: "" } }), "invalid_argument");
    expectProblem(await order(buyer, { address, address_id: id }), "invalid_argument");
  });
});

describe("the address book", () => {
  const address = { name: "Chen", phone: "+86 139 0000 0000", region: ["上海市"], street: "Road 1" };
  const book = async (account: Account) =>
    (await call("GET", "/api/address", { token: account.token })).body as {
      id: number;
      street: string;
      is_default: boolean;
    }[];

  it("is changed by its owner only, and always has one default", async () => {
    const one = (await call("POST", "/api/address", { token: stranger.token, json: address })).body;
    const two = (
      await call("POST", "/api/address", {
        token: stranger.token,
        json: { ...address, street: "Road 2", is_default: true },
      })
    ).body;
    expect((await book(stranger)).map(({ street, is_default }) => [street, is_default])).toEqual([
      ["Road 2", true],
      ["Road 1", false],
    ]);
    expectProblem(
      await call("PUT", `/api/address/${one.id}`, { token: buyer.token, json: address }),
      "address_not_found",
    );
    expectProblem(await call("DELETE", `/api/address/${one.id}`, { token: buyer.token }), "address_not_found");
    expect(
      (
        await call("PUT", `/api/address/${one.id}`, {
          token: stranger.token,
          json: { ...address, street: "Road 3", is_default: true },
        })
      ).body,
    ).toMatchObject({ street: "Road 3", is_default: true });
    expect((await call("DELETE", `/api/address/${one.id}`, { token: stranger.token })).status).toBe(200);
    expect((await book(stranger)).map(({ id, is_default }) => [id, is_default])).toEqual([[two.id, true]]);
  });
});

describe("an order", () => {
  it("is visible only to its buyer and to administrators", async () => {
    const id = await newOrder();
    expect((await call("GET", `/api/order/${id}`, { token: buyer.token })).body.id).toBe(id);
    expectProblem(await call("GET", `/api/order/${id}`, { token: stranger.token }), "order_not_found");
    expectProblem(await call("PUT", `/api/order/${id}/receive`, { token: stranger.token }), "order_not_found");
    expectProblem(await call("PUT", `/api/order/${id}/cancel`, { token: stranger.token }), "order_not_found");
    expect((await call("GET", "/api/order", { token: stranger.token })).body).toEqual({ list: [], count: 0 });
    expect(
      (await call("GET", `/adminapi/order?uid=${buyer.uid}&state=unpaid`, { token: admin.token })).body.list[0].id,
    ).toBe(id);
  });

  it("goes from unpaid to received", async () => {
    const id = await newOrder();
    expectProblem(await call("PUT", `/adminapi/order/${id}/deliver`, { token: admin.token }), "order_state_conflict");
    const paidLast = async () =>
      (await call("GET", `/adminapi/order?uid=${buyer.uid}&sort=-paid_at&limit=1`, { token: admin.token })).body.list[0]
        ?.id;
    expect(await paidLast()).not.toBe(id);
    expect((await pay(id)).body.state).toBe("paid");
    expect(await paidLast()).toBe(id);
    expect((await call("PUT", `/adminapi/order/${id}/deliver`, { token: admin.token })).body.state).toBe("delivered");
    expect((await call("PUT", `/api/order/${id}/receive`, { token: buyer.token, json: {} })).body.state).toBe(
      "received",
    );
    expectProblem(await call("PUT", `/api/order/${id}/cancel`, { token: buyer.token }), "order_state_conflict");
  });

  it("is paid once, even if payments are repeated", async () => {
    const id = await newOrder();
    const reference = `till-${crypto.randomUUID()}`;
    const paid = await Promise.all([1, 2, 3, 4].map(() => pay(id, { pay_ref: reference })));
    expect(new Set(paid.map(({ text }) => text)).size).toBe(1);
    expectProblem(await pay(id, { pay_ref: `${reference}-other` }), "order_already_paid");
    expectProblem(await pay(await newOrder(), { pay_ref: reference }), "payment_reference_used");
    expectProblem(await pay(900_000_000_000_001), "order_not_found");
  });

  it("cannot be paid once it is cancelled", async () => {
    const id = await newOrder();
    expect((await call("PUT", `/api/order/${id}/cancel`, { token: buyer.token })).body.state).toBe("cancelled");
    expectProblem(await pay(id), "order_state_conflict");
  });

  it.each(["abc", "0", "-1", "1.5", "99999999999999999999"])("has no id like %s", async (id) => {
    const reply = await call("GET", `/api/order/${id}`, { token: buyer.token });
    expectProblem(reply, "invalid_argument");
    expect(reply.body.errors).toEqual([expect.objectContaining({ in: "path", pointer: "/id" })]);
  });
});

describe("an offline payment that waits for a second administrator", () => {
  it("is refused with a reason, and can be recorded anew", async () => {
    const jade = await addProduct("Jade", "1000000.00", false);
    const { id } = (await place(buyer, [{ product_id: jade, quantity: 150 }])).body;
    const page = async () => (await call("GET", `/adminapi/order/${id}`, { token: admin.token })).body;
    const refuse = (token: string, json: object) => call("PUT", `/adminapi/order/${id}/pay/refuse`, { token, json });
    const second = await signUpAdmin("Second cashier");

    expectProblem(await refuse(second.token, { reason: "Nothing arrived" }), "order_state_conflict");
    expect((await pay(id, { pay_ref: "jade-1" })).body.state).toBe("unpaid");
    expect((await page()).waiting_payment).toMatchObject({ pay_ref: "jade-1" });
    expectProblem(await refuse(second.token, {}), "invalid_argument");
    for (const attempt of [1, 2]) {
      const reply = await refuse(second.token, { reason: `Nothing arrived (${attempt})` });
      expect([reply.status, reply.body.state]).toEqual([200, "unpaid"]);
    }
    expect(await page()).toMatchObject({
      waiting_payment: null,
      refused_payment: {
        pay_ref: "jade-1",
        reason: "Nothing arrived (1)",
        marked_by: { uid: admin.uid },
        refused_by: { uid: second.uid },
      },
    });
    expect((await pay(id, { pay_ref: "jade-2" })).body.state).toBe("unpaid");
    expect(await page()).toMatchObject({ waiting_payment: { pay_ref: "jade-2" }, refused_payment: null });
  });
});

describe("paying for queue goods", () => {
  it("pays the referrer in the background of the paying request", async () => {
    const referrer = await signUp("Referrer");
    const own = (await place(referrer, [{ product_id: queueGoods, quantity: 1 }])).body;
    await pay(own.id);
    const referred = await signUp("Referred", referrer.uid);
    const order = (await place(referred, [{ product_id: queueGoods, quantity: 1 }])).body;
    expect(order.referrer_uid).toBe(referrer.uid);
    await pay(order.id);

    const settlement = await vi.waitFor(async () => {
      const { body } = await call("GET", `/adminapi/order/${order.id}/settlement`, { token: admin.token });
      expect(body.state).toBe("settled");
      return body;
    });
    expect(settlement).toMatchObject({ base: "3600.00", cycle: { earner_uid: referrer.uid, place: 1 } });

    const overview = (await call("GET", "/api/hjf/assets/overview", { token: referrer.token })).body;
    expect(overview).toMatchObject({
      brokerage_price: settlement.cycle.commission,
      frozen_points: settlement.cycle.commission_points,
      progress: { eligible: true, cycle_no: 1, cycle_current: 1, total_places: 1 },
    });
    expect((await call("GET", "/api/hjf/brokerage/progress", { token: referrer.token })).body).toEqual(
      overview.progress,
    );
    const bill = (await call("GET", "/api/bill?type=brokerage", { token: referrer.token })).body;
    expect(bill).toMatchObject({ count: 1, list: [{ order_id: order.id, brokerage: settlement.cycle.commission }] });
  });
});

describe("long logs", () => {
  it("reject a cursor that no response returned", async () => {
    expectProblem(await call("GET", "/api/bill?cursor=yesterday", { token: buyer.token }), "invalid_argument");
  });

  it("are filtered by business day", async () => {
    const path = "/adminapi/hjf/points/release_log";
    const reply = await call("GET", `${path}?uid=${buyer.uid}&date_from=2020-01-01&date_to=2020-01-31`, {
      token: admin.token,
    });
    expect(reply.body).toMatchObject({
      list: [],
      count: 0,
      next_cursor: null,
      statistics: { total_released: 0, users: 0 },
    });
    expectProblem(await call("GET", `${path}?date_from=2026-02-30`, { token: admin.token }), "invalid_argument");
  });
});

describe("settlement jobs", () => {
  it("can be listed, and retried only if they exist", async () => {
    expect((await call("GET", "/adminapi/hjf/jobs?state=dead", { token: admin.token })).status).toBe(200);
    const id = (await place(buyer, [{ product_id: tea, quantity: 1 }])).body.id;
    expectProblem(await call("POST", `/adminapi/hjf/jobs/${id}/retry`, { token: admin.token }), "job_not_found");
  });
});
