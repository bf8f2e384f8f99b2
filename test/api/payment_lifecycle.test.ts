import type postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { cloneDatabase, type ClonedDatabase, connect, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { FakePayments } from "../support/fake_payments.ts";
import {
  type Account,
  accountIdOf,
  call,
  copyAccounts,
  expectProblem,
  type Reply,
  signUp,
  signUpAdmin,
} from "./client.ts";

// One provider, which loses responses and notifies too early, too late or twice, and a database of its own.
const SECRET = "the secret of the worker in this test";
const provider = new FakePayments();

let clone: ClonedDatabase;
let sql: postgres.Sql;
let api: EdgeFunction;
let worker: EdgeFunction;
let adminapi: EdgeFunction;
let buyer: Account;
let admin: Account;
let product: string;

beforeAll(async () => {
  [buyer, admin] = await Promise.all([signUp("Payer"), signUpAdmin("Cashier")]);
  clone = await cloneDatabase();
  sql = connect(clone.url);
  const settings = { ...(await provider.start()), STORE_WORKER_SECRET: SECRET };
  [api, worker, adminapi] = await Promise.all([
    serveEdgeFunction("api", clone.url, settings),
    serveEdgeFunction("worker", clone.url, settings),
    serveEdgeFunction("adminapi", clone.url, { STORE_WORKER_SECRET: SECRET }),
  ]);
  await copyAccounts(sql, buyer, admin);
  await sql`select app.add_administrator(${admin.email})`;
  const [row] = await sql`insert into app.products (title, price, stock) values ('Tea', 99.90, 100) returning id`;
  product = row?.id;
});
afterAll(async () => {
  await Promise.all([api?.stop(), worker?.stop(), adminapi?.stop()]);
  await provider.stop();
  await sql?.end();
  await clone?.drop();
});
beforeEach(async () => {
  provider.fault = "none";
  provider.servedBeforeFault = 0;
  provider.beforeResponse = () => undefined;
  // Whatever an earlier test left open is closed, so that each test begins with an empty outbox.
  await work();
  await work();
  await sql`delete from app.outbox where kind = 'unheard_of'`;
  provider.calls.splice(0);
});

interface Order {
  id: number;
  attemptNo: string;
}

async function newOrder(quantity = 1): Promise<number> {
  const [row] = await sql`
    select o.id from app.users as u cross join lateral app.create_order(u.uid, ${sql.json([{ product_id: Number(product), quantity }])}, clock_timestamp()) as o
    where u.auth_id = ${accountIdOf(buyer)}`;
  return Number(row?.id);
}

const asBuyer = (method: string, path: string, json?: unknown) =>
  call(method, path, { token: buyer.token, json, base: api.base });
const asAdmin = (method: string, path: string, json?: unknown) =>
  call(method, path, { token: admin.token, json, base: adminapi.base });
const PAYMENT = { provider: "local", method: "local" };
const pay = (id: number) => asBuyer("POST", `/api/order/${id}/pay`, PAYMENT);
const read = async (id: number) => (await asBuyer("GET", `/api/order/${id}/payment`)).body;
const notify = ({ attemptNo }: Order) => {
  const { body, headers } = provider.notification(attemptNo);
  return call("POST", "/api/pay/notify/local", { base: api.base, init: { body, headers } });
};
async function started(quantity = 1): Promise<Order> {
  const id = await newOrder(quantity);
  return { id, attemptNo: (await pay(id)).body.attempt_no };
}
/** Makes all calls of the outbox due, and runs the worker. */
async function work(): Promise<void> {
  await sql`update app.outbox set run_after = clock_timestamp() where state = 'waiting'`;
  await runWorker();
}
async function runWorker(): Promise<void> {
  const reply = await call("POST", "/worker/run", {
    base: worker.base,
    init: { headers: { "x-worker-secret": SECRET } },
  });
  expect(reply.status).toBe(200);
}
/** Lets time pass for one payment, and runs the worker. */
async function pass({ attemptNo }: Order, seconds: number): Promise<void> {
  const time = `${seconds} s`;
  await sql`update app.payment_attempts set add_time = add_time - ${time}::interval, expires_at = expires_at - ${time}::interval where attempt_no = ${attemptNo}`;
  await sql`update app.outbox set run_after = run_after - ${time}::interval where key = ${attemptNo}`;
  await runWorker();
}
const stateOf = async ({ id, attemptNo }: Order) => {
  const [row] =
    await sql`select o.state as order, a.state as attempt from app.orders as o join app.payment_attempts as a on a.order_id = o.id where o.id = ${id} and a.attempt_no = ${attemptNo}`;
  return `${row?.order} by ${row?.attempt}`;
};
const outcomes = async ({ attemptNo }: Order) =>
  (await sql`select outcome from app.payment_notifications where order_no = ${attemptNo} order by id`).map(
    ({ outcome }) => outcome as string,
  );
const findings = async () => [
  ...(await sql`select * from app.reconcile() where check_name ~ 'attempt|refund|outbox|stock'`),
];

describe("POST /api/order/{id}/pay", () => {
  it("returns what the client passes to the provider, and the same when it is repeated", async () => {
    const id = await newOrder();
    const { status, body } = await pay(id);
    expect(status).toBe(200);
    expect(body).toEqual({
      attempt_no: expect.stringMatching(/^\d+-1$/),
      expires_at: expect.any(String),
      start: { kind: "local", url: expect.stringMatching(/^http/) },
    });
    expect((await pay(id)).body).toEqual(body);
    expect(provider.payment(body.attempt_no)).toMatchObject({ amountMinor: 9990, state: "open" });
    const results = await Promise.all(Array.from({ length: 5 }, () => pay(id)));
    expect(results.map((reply) => reply.body)).toEqual(Array(5).fill(body));
  });

  it.each([
    ["a provider that is not configured", { provider: "wechat", method: "h5" }, "provider_not_configured"],
    ["a method that the provider does not have", { provider: "local", method: "h5" }, "provider_not_configured"],
    ["an openid without jsapi", { ...PAYMENT, openid: "someone" }, "invalid_argument"],
  ] as const)("rejects %s", async (_kind, json, code) => {
    expectProblem(await asBuyer("POST", `/api/order/${await newOrder()}/pay`, json), code);
  });

  it("rejects a cancelled and a paid order", async () => {
    const cancelled = await newOrder();
    await asBuyer("PUT", `/api/order/${cancelled}/cancel`);
    expectProblem(await pay(cancelled), "order_state_conflict");
    const paid = await started();
    provider.pay(paid.attemptNo);
    await notify(paid);
    expectProblem(await pay(paid.id), "order_already_paid");
  });

  it.each(["lost", "lost response", "html"] as const)(
    "continues the same attempt after a call with the fault: %s",
    async (fault) => {
      const id = await newOrder();
      provider.fault = fault;
      expectProblem(await pay(id), "provider_unavailable");
      provider.fault = "none";
      const { body } = await pay(id);
      expect(body.attempt_no).toMatch(/-1$/);
      expect(await stateOf({ id, attemptNo: body.attempt_no })).toBe("unpaid by open");
    },
  );

  it("ends an attempt that the provider refuses, and starts a new one the next time", async () => {
    const id = await newOrder();
    provider.fault = "refused";
    expectProblem(await pay(id), "provider_refused");
    provider.fault = "none";
    expect((await pay(id)).body.attempt_no).toMatch(/-2$/);
    const [attempt] = await sql`select state, reason from app.payment_attempts where order_id = ${id} order by id`;
    expect(attempt).toEqual({ state: "refused", reason: "payer_unknown" });
  });

  it("closes an attempt that is about to expire, and starts a new one", async () => {
    const first = await started();
    await sql`update app.payment_attempts set expires_at = clock_timestamp() where attempt_no = ${first.attemptNo}`;
    expect((await pay(first.id)).body.attempt_no).toMatch(/-2$/);
    expect(provider.payment(first.attemptNo)?.state).toBe("closed");
    expect(await stateOf(first)).toBe("unpaid by closed");
  });

  it("starts no second payment while it is unknown whether the first was closed", async () => {
    const first = await started();
    await sql`update app.payment_attempts set expires_at = clock_timestamp() where attempt_no = ${first.attemptNo}`;
    provider.fault = "lost response";
    expectProblem(await pay(first.id), "provider_unavailable");
    expect(await stateOf(first)).toBe("unpaid by open");
  });

  it("finds that the attempt which it wants to replace is paid, and does not start another", async () => {
    const first = await started();
    provider.pay(first.attemptNo);
    await sql`update app.payment_attempts set expires_at = clock_timestamp() where attempt_no = ${first.attemptNo}`;
    expectProblem(await pay(first.id), "order_already_paid");
    expect(await stateOf(first)).toBe("paid by paid");
  });
});

describe("a payment", () => {
  it("that is notified before the response to its start pays the order", async () => {
    const id = await newOrder();
    let attemptNo = "";
    provider.beforeResponse = async (path) => {
      if (path !== "POST /payments") return;
      attemptNo = provider.ledger.all().payments.at(-1)!.attemptNo;
      provider.pay(attemptNo);
      expect((await notify({ id, attemptNo })).status).toBe(200);
    };
    expect((await pay(id)).status).toBe(200);
    expect(await stateOf({ id, attemptNo })).toBe("paid by paid");
  });

  it("that is notified twice, also concurrently, pays once", async () => {
    const order = await started();
    provider.pay(order.attemptNo);
    const replies = await Promise.all(Array.from({ length: 4 }, () => notify(order)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await outcomes(order)).sort()).toEqual(["paid", "repeated", "repeated", "repeated"]);
  });

  it("whose notification is lost is found when the client asks", async () => {
    const order = await started();
    expect(await read(order.id)).toMatchObject({
      order_state: "unpaid",
      attempt: { state: "open", attempt_no: order.attemptNo },
    });
    provider.pay(order.attemptNo);
    await sql`update app.payment_attempts set queried_at = null where attempt_no = ${order.attemptNo}`;
    expect(await read(order.id)).toMatchObject({ order_state: "paid", attempt: { state: "paid" } });
    expect((await notify(order)).status).toBe(200);
    expect(await outcomes(order)).toEqual(["paid", "repeated"]);
  });

  // Guarantee money/payment-found: A payment whose notification is lost is found at the times of the settings
  // By: a call in the outbox, app.plan_payment_query
  it("whose notification is lost and whose client never asks is found a minute after its start", async () => {
    const order = await started();
    provider.pay(order.attemptNo);
    provider.calls.splice(0);
    await pass(order, 55);
    expect(provider.calls).toEqual([]);
    await pass(order, 10);
    expect(provider.calls).toEqual([`GET /payments/${order.attemptNo}`]);
    expect(await stateOf(order)).toBe("paid by paid");
    expect(await outcomes(order)).toEqual(["paid"]);
    expect([...(await sql`select kind from app.outbox where key = ${order.attemptNo}`)]).toEqual([]);
  });

  it("that is not made is asked about after 1, 5 and 10 minutes, and then when it expires", async () => {
    const order = await started();
    const asked: number[] = [];
    provider.calls.splice(0);
    for (let minute = 0; minute <= 31; minute += 1) {
      if (provider.calls.splice(0).length > 0) asked.push(minute);
      await pass(order, 60);
    }
    expect(asked).toEqual([1, 5, 10, 30]);
    expect(await stateOf(order)).toBe("unpaid by closed");
  });

  it("is queried at most once in two seconds, and an invalid response changes nothing", async () => {
    const order = await started();
    provider.fault = "html";
    provider.calls.splice(0);
    const replies = await Promise.all(Array.from({ length: 10 }, () => read(order.id)));
    expect(replies.map(({ attempt }) => attempt.state)).toEqual(Array(10).fill("open"));
    expect(provider.calls).toEqual([`GET /payments/${order.attemptNo}`]);
  });

  // Guarantee money/payment-without-order: Money that fits no order is recorded and can be refunded once
  // By: outcome `attention`, app.take_payment; lock and unique index, app.provider_refunds
  it("that arrives after the close needs attention and is refunded once at the request of an administrator", async () => {
    const order = await started();
    await asBuyer("PUT", `/api/order/${order.id}/cancel`);
    provider.pay(order.attemptNo);
    await work();
    expect(await stateOf(order)).toBe("cancelled by paid");
    await notify(order);
    expect(await outcomes(order)).toEqual(["attention", "attention"]);
    const page = async () => (await asAdmin("GET", `/adminapi/order/${order.id}`)).body;
    const [payment] = (await page()).unclaimed_payments;
    expect(payment).toMatchObject({
      payment_no: order.attemptNo,
      amount: "99.90",
      reason: "order_state_conflict",
      refund_state: null,
    });
    for (let time = 0; time < 2; time += 1) {
      const reply = await asAdmin("PUT", `/adminapi/payment/notification/${payment.notification_id}/refund`);
      expect(reply.body).toMatchObject({ state: "refunding", amount: "99.90" });
    }
    await work();
    expect((await page()).unclaimed_payments[0].refund_state).toBe("refunding");
    await work();
    expect(await page()).toMatchObject({
      unclaimed_payments: [{ refund_state: "succeeded" }],
      provider_refunds: [{ state: "succeeded", refund_id: null }],
    });
    expect(provider.ledger.all().refunds.filter(({ attemptNo }) => attemptNo === order.attemptNo)).toHaveLength(1);
    expect(await findings()).toEqual([]);
  });
});

describe("the worker", () => {
  it.each([
    ["no secret", undefined],
    ["a wrong secret", "the secret of another worker in this test"],
  ])("rejects %s", async (_kind, secret) => {
    const reply = await call("POST", "/worker/run", {
      base: worker.base,
      init: { headers: secret ? { "x-worker-secret": secret } : {} },
    });
    expectProblem(reply, "unauthenticated");
  });

  it.each(["lost", "lost response", "html"] as const)(
    "closes an expired attempt in the end, whatever happens to its calls: %s",
    async (fault) => {
      const order = await started();
      provider.fault = fault;
      await work();
      expect(await stateOf(order)).toBe("unpaid by open");
      const [row] =
        await sql`select attempts, last_problem from app.outbox where kind = 'close_payment' and key = ${order.attemptNo}`;
      expect(row).toEqual({ attempts: 1, last_problem: expect.stringMatching(/\S/) });
      provider.fault = "none";
      await work();
      expect(await stateOf(order)).toBe("unpaid by closed");
      expect([...(await sql`select * from app.outbox where key = ${order.attemptNo}`)]).toEqual([]);
    },
  );

  it("pays instead of closing when the payer was faster", async () => {
    const order = await started();
    provider.pay(order.attemptNo);
    await work();
    expect(await stateOf(order)).toBe("paid by paid");
    expect(await outcomes(order)).toEqual(["paid"]);
  });

  it("closes the other attempt of an order that was paid offline", async () => {
    const order = await started();
    await asAdmin("PUT", `/adminapi/order/${order.id}/pay`);
    const [row] =
      await sql`select run_after <= clock_timestamp() as due from app.outbox where kind = 'close_payment' and key = ${order.attemptNo}`;
    expect(row).toEqual({ due: true });
    await work();
    expect(await stateOf(order)).toBe("paid by closed");
  });

  it("keeps a row of an unknown kind, with the reason, and processes the others", async () => {
    await sql`select app.add_to_outbox('unheard_of', 'x', '{}', now(), now())`;
    const order = await started();
    await work();
    expect(await stateOf(order)).toBe("unpaid by closed");
    expect((await asAdmin("GET", "/adminapi/outbox")).body).toMatchObject({
      count: 1,
      list: [{ kind: "unheard_of", attempts: 1, last_problem: expect.stringContaining("does not know") }],
    });
  });

  it("makes every call once when several run at the same time", async () => {
    const orders = await Promise.all(Array.from({ length: 6 }, () => started()));
    await sql`update app.outbox set run_after = clock_timestamp()`;
    provider.calls.splice(0);
    await Promise.all(
      Array.from({ length: 4 }, () =>
        call("POST", "/worker/run", { base: worker.base, init: { headers: { "x-worker-secret": SECRET } } }),
      ),
    );
    for (const { attemptNo } of orders)
      expect(provider.calls.filter((path) => path === `POST /payments/${attemptNo}/close`)).toHaveLength(1);
  });
});

describe("the refund of an order that a provider's payment paid", () => {
  async function paid(quantity = 1): Promise<Order> {
    const order = await started(quantity);
    provider.pay(order.attemptNo);
    await notify(order);
    return order;
  }
  const refundOf = async ({ id }: Order) => (await asBuyer("GET", `/api/order/${id}/refund`)).body.list[0];
  const refund = ({ id }: Order, json?: object): Promise<Reply> => asAdmin("PUT", `/adminapi/order/${id}/refund`, json);

  it("is refunding until the provider has confirmed it", async () => {
    const order = await paid();
    expect((await refund(order)).body).toMatchObject({ state: "refunded", provider_state: "refunding" });
    expect(await refundOf(order)).toMatchObject({ provider_state: "refunding" });
    await work();
    expect(await refundOf(order)).toMatchObject({ provider_state: "refunding" });
    await work();
    expect(await refundOf(order)).toMatchObject({ provider_state: "succeeded" });
    expect(await findings()).toEqual([]);
  });

  // Guarantee money/provider-refund: A refund at a provider is paid once, even if responses are lost
  // By: a number of its own, app.provider_refunds, and a query before each repetition,
  // functions/worker/refund_payment.ts
  it.each([
    ["lost", 0],
    ["lost response", 0],
    ["lost", 1],
    ["lost response", 1],
    ["html", 1],
  ] as const)("is paid once, with the fault %s after %i calls", async (fault, served) => {
    // One unit of three: the provider would refuse to pay back more than the whole payment.
    const order = await paid(3);
    const [line] = await sql`select id from app.order_lines where order_id = ${order.id}`;
    await refund(order, { lines: [{ line_id: Number(line?.id), quantity: 1 }] });
    provider.fault = fault;
    provider.servedBeforeFault = served;
    await work();
    await work();
    provider.fault = "none";
    await work();
    await work();
    expect(provider.ledger.all().refunds.filter(({ attemptNo }) => attemptNo === order.attemptNo)).toMatchObject([
      { amountMinor: 9990 },
    ]);
    expect(await refundOf(order)).toMatchObject({ provider_state: "succeeded" });
  });

  // Guarantee money/provider-refund
  it("has not failed if its response is lost and the provider would refuse a second request", async () => {
    const order = await paid();
    await refund(order);
    Object.assign(provider, { fault: "lost response", servedBeforeFault: 1 });
    await work();
    Object.assign(provider, { fault: "refused", servedBeforeFault: 1 });
    await work();
    expect(await refundOf(order)).toMatchObject({ provider_state: "succeeded" });
  });

  it("is shown as failed when the provider refuses it, and can be retried", async () => {
    const order = await paid();
    await refund(order);
    // The merchant has no money at the provider: the first try is refused.
    const refuse = vi
      .spyOn(provider.ledger, "refund")
      .mockImplementationOnce(() => ({ state: "failed", reason: "not_enough" }));
    await work();
    refuse.mockRestore();
    expect(await refundOf(order)).toMatchObject({ provider_state: "failed" });
    const [failed] = (await asAdmin("GET", `/adminapi/order/${order.id}`)).body.provider_refunds;
    expect(failed).toMatchObject({ state: "failed", reason: "not_enough" });
    expect((await findings()).map((finding) => finding.check_name)).toEqual(["provider_refund_is_paid"]);
    expect((await asAdmin("PUT", `/adminapi/payment/refund/${failed.id}/retry`)).body).toMatchObject({
      state: "refunding",
      refund_no: `${order.attemptNo}-r2`,
    });
    expectProblem(await asAdmin("PUT", `/adminapi/payment/refund/${failed.id}/retry`), "order_state_conflict");
    await work();
    await work();
    expect(await refundOf(order)).toMatchObject({ provider_state: "succeeded" });
    expect(await findings()).toEqual([]);
  });

  it("waits, after it has failed too often, until an administrator retries it", async () => {
    const order = await paid();
    await refund(order);
    await sql`update app.outbox set attempts = 19`;
    provider.fault = "lost";
    await work();
    const {
      list: [row],
    } = (await asAdmin("GET", "/adminapi/outbox?state=failed")).body;
    expect(row).toMatchObject({ kind: "refund_payment", state: "failed", order_id: order.id });
    provider.fault = "none";
    await work();
    expect(await refundOf(order)).toMatchObject({ provider_state: "refunding" });
    expect((await asAdmin("PUT", `/adminapi/outbox/${row.id}/retry`)).body).toMatchObject({
      state: "waiting",
      attempts: 0,
    });
    await work();
    await work();
    expect(await refundOf(order)).toMatchObject({ provider_state: "succeeded" });
  });
});

it("no test has left an order paid twice or a payment that is not recorded", async () => {
  expect((await sql`select * from app.reconcile_payments()`).map((finding) => finding.check_name)).toEqual([]);
});
