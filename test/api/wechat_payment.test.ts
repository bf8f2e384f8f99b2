import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cloneDatabase, type ClonedDatabase, connect, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { FakeWechatPay } from "../support/wechat/fake_wechat_pay.ts";
import { H5, MINI } from "../support/wechat/apps.ts";
import { type Account, accountIdOf, call, copyAccounts, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { FakeWechat } from "../support/wechat/fake_wechat.ts";

// A member of WeChat who pays and is shipped to. The database is a clone, so that the worker of the test stack takes no
// call from its outbox.
const SECRET = "the secret of the worker in this test";
const wechat = new FakeWechat();
const wechatPay = new FakeWechatPay();
const openid = `o${randomUUID()}`;

let clone: ClonedDatabase;
let sql: postgres.Sql;
let api: EdgeFunction;
let worker: EdgeFunction;
let adminapi: EdgeFunction;
let admin: Account;
let member: Account;
let visitorOfPage: Account;
let other: Account;
let product: number;

beforeAll(async () => {
  await wechatPay.start();
  const settings = {
    ...wechatPay.settings(),
    STORE_WECHAT_PAY_APPIDS: `${MINI.appid}, ${H5.appid}`,
    STORE_WECHAT_API_URL: await wechat.start(),
    STORE_WECHAT_MINI_APPID: MINI.appid,
    STORE_WECHAT_MINI_SECRET: MINI.secret,
    STORE_WECHAT_H5_APPID: H5.appid,
    STORE_WECHAT_H5_SECRET: H5.secret,
    STORE_WORKER_SECRET: SECRET,
  };
  [admin, member, visitorOfPage, other] = await Promise.all([
    signUpAdmin("Cashier of WeChat"),
    signUp("小林"),
    signUp("Page"),
    signUp("With a password"),
  ]);
  clone = await cloneDatabase();
  const { url } = clone;
  sql = connect(url);
  // The address of a function is known once it runs, so it is served twice: requests to WeChat Pay name the first.
  const first = await serveEdgeFunction("api", url, settings);
  api = await serveEdgeFunction("api", url, { ...settings, STORE_FUNCTIONS_URL: first.base });
  const { stop } = api;
  api.stop = async () => {
    await first.stop();
    await stop();
  };
  worker = await serveEdgeFunction("worker", url, { ...settings, STORE_FUNCTIONS_URL: first.base });
  adminapi = await serveEdgeFunction("adminapi", url, {});
  await copyAccounts(sql, admin, member, visitorOfPage, other);
  await sql`select app.add_administrator(${admin.email})`;
  await sql`insert into app.wechat_accounts (appid, openid, auth_id) values (${MINI.appid}, ${openid}, ${accountIdOf(member)}), (${H5.appid}, 'page', ${accountIdOf(visitorOfPage)})`;
  const [row] = await sql`insert into app.products (title, price) values ('绿茶', 99.90) returning id::integer`;
  product = row!.id;
});
afterAll(async () => {
  await Promise.all([api?.stop(), worker?.stop(), adminapi?.stop()]);
  await Promise.all([wechat.stop(), wechatPay.stop()]);
  await sql?.end();
  await clone?.drop();
});
beforeEach(() => {
  wechatPay.beforeResponse = undefined;
  wechatPay.received.splice(0);
  wechat.isTradeManaged = true;
  wechat.mood = "well";
  wechat.received.splice(0);
});

const ADDRESS = { name: "林", phone: "138 0000 0000", region: ["广东省", "深圳市"], street: "科技路 1 号" };
const send = (method: string, path: string, json?: unknown, { token } = member) =>
  call(method, path, { base: api.base, token, json });
const order = async () =>
  (await send("POST", "/api/order", { items: [{ product_id: product, quantity: 1 }], address: ADDRESS })).body
    .id as number;
const pay = (id: number, more: object = {}) =>
  send("POST", `/api/order/${id}/pay`, { provider: "wechat", method: "jsapi", ...more });
const stateOf = async (id: number) => (await send("GET", `/api/order/${id}/payment`)).body.order_state as string;
const asAdmin = (method: string, path: string, json?: unknown) =>
  call(method, path, { base: adminapi.base, token: admin.token, json });
const outbox = async (key: string) => (await sql`select kind, last_problem from app.outbox where key = ${key}`)[0];

/** Starts the payment of a new order. */
async function started(): Promise<{ id: number; attemptNo: string }> {
  const id = await order();
  return { id, attemptNo: (await pay(id)).body.attempt_no };
}

/** Runs the worker with the row of one key due. */
async function work(key: string): Promise<void> {
  await sql`update app.outbox set run_after = clock_timestamp() where key = ${key}`;
  expect(
    (await call("POST", "/worker/run", { base: worker.base, init: { headers: { "x-worker-secret": SECRET } } })).status,
  ).toBe(200);
}

const paymentsOf = (id: number) =>
  sql`select outcome from app.payment_notifications where order_id = ${id} and outcome = 'paid'`;

describe("a payment in WeChat", () => {
  it("starts with the id and the app of the member's sign-in, and the same again if it is repeated", async () => {
    const id = await order();
    const { body } = await pay(id);
    expect(body.start).toMatchObject({ kind: "jsapi", appId: MINI.appid, signType: "RSA" });
    expect(
      FakeWechatPay.isMerchants(
        [body.start.appId, body.start.timeStamp, body.start.nonceStr, body.start.package],
        body.start.paySign,
      ),
    ).toBe(true);
    expect(JSON.parse(wechatPay.received[0]!.body)).toMatchObject({
      appid: MINI.appid,
      payer: { openid },
      amount: { total: 9990 },
      out_trade_no: body.attempt_no,
    });
    expect((await pay(id)).body.attempt_no).toBe(body.attempt_no);
    expect((await pay(id, { openid })).body.attempt_no).toBe(body.attempt_no);
  });

  it("starts in the app of a web page in WeChat if the member signed in there", async () => {
    const {
      body: { id },
    } = await send("POST", "/api/order", { items: [{ product_id: product, quantity: 1 }] }, visitorOfPage);
    await send("POST", `/api/order/${id}/pay`, { provider: "wechat", method: "jsapi" }, visitorOfPage);
    expect(JSON.parse(wechatPay.received[0]!.body)).toMatchObject({ appid: H5.appid, payer: { openid: "page" } });
  });

  it("in a browser names the address of the payer", async () => {
    const id = await order();
    const init = { headers: { "x-forwarded-for": "203.0.113.7" } };
    const { body } = await call("POST", `/api/order/${id}/pay`, {
      base: api.base,
      token: member.token,
      json: { provider: "wechat", method: "h5" },
      init,
    });
    expect(body.start).toMatchObject({ kind: "h5", h5_url: expect.stringMatching(/^https:/) });
    expect(JSON.parse(wechatPay.received[0]!.body).scene_info.payer_client_ip).toBe("203.0.113.7");
  });

  it("needs an openid from a member who did not sign in with WeChat", async () => {
    const {
      body: { id },
    } = await send("POST", "/api/order", { items: [{ product_id: product, quantity: 1 }] }, other);
    const reply = await send("POST", `/api/order/${id}/pay`, { provider: "wechat", method: "jsapi" }, other);
    expectProblem(reply, "invalid_argument");
    expect(reply.body.errors).toEqual([expect.objectContaining({ in: "body", pointer: "/openid" })]);
    expect(
      (await send("POST", `/api/order/${id}/pay`, { provider: "wechat", method: "jsapi", openid: "somebody" }, other))
        .status,
    ).toBe(200);
  });

  it("pays the order once, whether WeChat Pay notifies twice or never", async () => {
    const [twice, never] = [await started(), await started()];
    for (const { attemptNo } of [twice, never]) expect(wechatPay.pay(attemptNo)).toBe(true);
    const eventId = randomUUID();
    expect(await Promise.all([1, 2].map(() => wechatPay.notifyPayment(twice.attemptNo, eventId)))).toEqual([200, 200]);
    for (const { id } of [twice, never]) {
      expect(await stateOf(id)).toBe("paid");
      expect(await paymentsOf(id)).toHaveLength(1);
    }
    // The late notification of the payment that was found by a query.
    expect(await wechatPay.notifyPayment(never.attemptNo)).toBe(200);
    expect(await paymentsOf(never.id)).toHaveLength(1);
  });

  it("pays the order even if the notification arrives before the response to its start", async () => {
    const id = await order();
    wechatPay.beforeResponse = async (no) => {
      wechatPay.pay(no);
      expect(await wechatPay.notifyPayment(no)).toBe(200);
    };
    await pay(id);
    expect(await stateOf(id)).toBe("paid");
  });

  it.each(["after", "forged", "failing"] as const)(
    "whose start got a response that is %s continues with the same number",
    async (trouble) => {
      const id = await order();
      wechatPay.trouble(/jsapi/, trouble);
      expectProblem(await pay(id), "provider_unavailable");
      const { body } = await pay(id);
      expect(body.attempt_no).toMatch(/-1$/);
      wechatPay.pay(body.attempt_no);
      expect(await stateOf(id)).toBe("paid");
    },
  );

  it("after the close is noticed, and does not pay the cancelled order", async () => {
    const { id, attemptNo } = await started();
    await send("PUT", `/api/order/${id}/cancel`);
    await work(attemptNo);
    expect(wechatPay.transactions.get(attemptNo)!.trade_state).toBe("CLOSED");
    expect(wechatPay.pay(attemptNo)).toBe(false);
    expect(wechatPay.pay(attemptNo, { underWay: true })).toBe(true);
    expect(await wechatPay.notifyPayment(attemptNo)).toBe(200);
    expect(
      (await sql`select outcome from app.payment_notifications where order_no = ${attemptNo}`).map(
        ({ outcome }) => outcome,
      ),
    ).toEqual(["attention"]);
    expect(await stateOf(id)).toBe("cancelled");
  });

  it("is refunded once, though responses are lost and WeChat Pay notifies", async () => {
    const { id, attemptNo } = await started();
    wechatPay.pay(attemptNo);
    expect(await stateOf(id)).toBe("paid");
    await asAdmin("PUT", `/adminapi/order/${id}/refund`, {});
    const [{ refund_no: no }] =
      (await sql`select refund_no from app.provider_refunds where order_id = ${id}`) as unknown as [
        { refund_no: string },
      ];
    for (const trouble of ["before", "after", "unsigned"] as const) {
      wechatPay.trouble(/^POST .*refunds/, trouble);
      await work(no);
    }
    await work(no);
    expect([...wechatPay.refunds.values()].filter(({ request }) => request.out_trade_no === attemptNo)).toMatchObject([
      { request: { amount: { refund: 9990 } } },
    ]);
    // The notification decides the refund, and nothing is left to query.
    expect(await wechatPay.decideRefund(no, "SUCCESS")).toBe(200);
    expect((await asAdmin("GET", `/adminapi/order/${id}`)).body.provider_refunds).toMatchObject([
      { state: "succeeded", amount: "99.90" },
    ]);
    expect(await outbox(no)).toBeUndefined();
  });

  it("is refunded even if WeChat Pay notifies before the response to the request, or never", async () => {
    for (const notifies of [true, false]) {
      const { id, attemptNo } = await started();
      wechatPay.pay(attemptNo);
      expect(await stateOf(id)).toBe("paid");
      await asAdmin("PUT", `/adminapi/order/${id}/refund`, {});
      const no = `${attemptNo}-r1`;
      wechatPay.beforeResponse = notifies
        ? async () => expect(await wechatPay.decideRefund(no, "SUCCESS")).toBe(200)
        : undefined;
      await work(no);
      wechatPay.refunds.get(no)!.status = "SUCCESS";
      if (!notifies) await work(no);
      expect((await asAdmin("GET", `/adminapi/order/${id}`)).body.provider_refunds).toMatchObject([
        { state: "succeeded" },
      ]);
    }
  });
});

describe("an order that was paid in the mini program and leaves the store", () => {
  const UPLOAD = "/wxa/sec/order/upload_shipping_info";

  /** An order that is paid and delivered. @returns its transaction at WeChat */
  async function delivered(shipping: object, isKnown = true): Promise<{ id: number; transaction: string }> {
    const { id, attemptNo } = await started();
    wechatPay.pay(attemptNo);
    expect(await stateOf(id)).toBe("paid");
    const transaction = wechatPay.transactions.get(attemptNo)!.transaction_id!;
    if (isKnown) wechat.orders.set(transaction, 1);
    expect((await asAdmin("PUT", `/adminapi/order/${id}/deliver`, shipping)).status).toBe(200);
    return { id, transaction };
  }

  it("is reported to WeChat once, with carrier and tracking number", async () => {
    const { id, transaction } = await delivered({ carrier: "顺丰", tracking_no: "SF1234567890" });
    await work(String(id));
    expect(wechat.take(UPLOAD)).toEqual([
      {
        order_key: { order_number_type: 2, transaction_id: transaction },
        delivery_mode: 1,
        logistics_type: 1,
        shipping_list: [
          {
            tracking_no: "SF1234567890",
            express_company: "SF",
            item_desc: "绿茶 x1",
            contact: { receiver_contact: "138****0000" },
          },
        ],
        upload_time: expect.any(String),
        payer: { openid },
      },
    ]);
    expect(await outbox(String(id))).toBeUndefined();
    await asAdmin("PUT", `/adminapi/order/${id}/deliver`, { tracking_no: "SF1234567891" });
    expect(await outbox(String(id))).toBeUndefined();
  });

  it("without a tracking number is reported as delivered by the store itself", async () => {
    const { id } = await delivered({});
    await work(String(id));
    expect(wechat.take(UPLOAD)).toMatchObject([{ logistics_type: 2, shipping_list: [{ item_desc: "绿茶 x1" }] }]);
  });

  it("is reported when WeChat knows the payment, and not again after a lost response", async () => {
    const { id, transaction } = await delivered({ carrier: "zto", tracking_no: "7512345678" }, false);
    await work(String(id));
    expect(await outbox(String(id))).toMatchObject({ last_problem: expect.stringContaining("10060001") });
    // WeChat has taken the notice, and the response was lost.
    wechat.orders.set(transaction, 2);
    wechat.received.splice(0);
    await work(String(id));
    expect(wechat.take(UPLOAD)).toEqual([]);
    expect(await outbox(String(id))).toBeUndefined();
  });

  it("waits for an administrator if WeChat does not know the carrier", async () => {
    const { id } = await delivered({ carrier: "Pony Express", tracking_no: "PE1001" });
    await work(String(id));
    expect(await outbox(String(id))).toMatchObject({ last_problem: expect.stringContaining("Pony Express") });
    await asAdmin("PUT", `/adminapi/order/${id}/deliver`, { carrier: "中通快递" });
    await work(String(id));
    expect(wechat.take(UPLOAD)).toMatchObject([{ shipping_list: [{ express_company: "ZTO" }] }]);
  });

  it("is not reported if WeChat does not manage the trade", async () => {
    wechat.isTradeManaged = false;
    const { id } = await delivered({});
    await work(String(id));
    expect(wechat.take(UPLOAD)).toEqual([]);
    expect(await outbox(String(id))).toBeUndefined();
  });
});
