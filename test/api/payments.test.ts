import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, randomUUID } from "node:crypto";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createHmac as createHmacProvider } from "../../functions/api/payments/hmac.ts";
import { createWechatPay } from "../../functions/_shared/providers/wechat_pay/notifications.ts";
import {
  cloneDatabase,
  type ClonedDatabase,
  connect,
  type EdgeFunction,
  serveEdgeFunction,
  stack,
} from "../support/index.ts";
import { API_V3_KEY, encryptResource, signatureHeaders } from "../support/wechat/pay_crypto.ts";
import { call, expectProblem, signUp, signUpAdmin } from "./client.ts";

const SERIAL = "PUB_KEY_ID_0100000000000000000000000000000001";
const OLD_SERIAL = "5157F09EFDC096DE15EBE81A47057A7232F1B8E1";
const HMAC_SECRET = randomBytes(32);
const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
const oldKeys = generateKeyPairSync("rsa", { modulusLength: 2048 });
const strangersKeys = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = (key: KeyObject) => key.export({ type: "spki", format: "pem" }).toString();

const settings = {
  STORE_WECHAT_PAY_MCHID: "1900000001",
  STORE_WECHAT_PAY_APPIDS: "wx0000000000000001, wx0000000000000002",
  STORE_WECHAT_PAY_API_V3_KEY: API_V3_KEY,
  STORE_WECHAT_PAY_PUBLIC_KEYS: JSON.stringify({ [SERIAL]: pem(keys.publicKey), [OLD_SERIAL]: pem(oldKeys.publicKey) }),
  STORE_PAY_HMAC_SECRET: `whsec_${HMAC_SECRET.toString("base64")}`,
};

let clone: ClonedDatabase;
let sql: postgres.Sql;
let api: EdgeFunction;
let product: string;

beforeAll(async () => {
  clone = await cloneDatabase();
  sql = connect(clone.url);
  const [row] =
    await sql`insert into app.products (title, price, is_queue_goods) values ('Flagship', 3600, true) returning id`;
  product = row?.id;
  api = await serveEdgeFunction("api", clone.url, settings);
});
afterAll(async () => {
  await api?.stop();
  await sql?.end();
  await clone?.drop();
});

interface Order {
  id: string;
  order_no: string;
}

async function newMember(spread?: string): Promise<string> {
  const [user] = await sql`select gen_random_uuid() as id`;
  await sql`insert into auth.users (email_confirmed_at, id, email, raw_user_meta_data) values (now(), ${user?.id}, ${`${user?.id}@example.com`}, jsonb_build_object('spread', ${spread ?? null}::text))`;
  const [row] = await sql`select uid from app.users where auth_id = ${user?.id}`;
  return row?.uid;
}

async function newOrder(uid?: string): Promise<Order> {
  const items = sql.json([{ product_id: Number(product), quantity: 1 }]);
  const [row] =
    await sql`select o.id, o.order_no from app.create_order(${uid ?? (await newMember())}, ${items}, clock_timestamp()) as o`;
  return row as unknown as Order;
}

const stateOf = async ({ id }: Order) =>
  (await sql`select state, pay_type, pay_ref from app.orders where id = ${id}`)[0];
const recorded = (eventId: string) =>
  sql`select outcome, reason, order_id, amount, currency from app.payment_notifications where event_id = ${eventId} order by id`;

/** The content of a WeChat transaction, with the changes of a test. */
function transaction(order: Pick<Order, "order_no">, changes: Record<string, unknown> = {}) {
  return {
    mchid: settings.STORE_WECHAT_PAY_MCHID,
    appid: "wx0000000000000001",
    out_trade_no: order.order_no,
    transaction_id: `42000${randomBytes(10).toString("hex")}`,
    trade_type: "JSAPI",
    trade_state: "SUCCESS",
    success_time: "2026-11-20T10:34:56+08:00",
    amount: { total: 360000, payer_total: 360000, currency: "CNY", payer_currency: "CNY" },
    ...changes,
  };
}

function wechatEvent(content: unknown, changes: Record<string, unknown> = {}) {
  return {
    id: randomUUID(),
    create_time: "2026-11-20T10:34:56+08:00",
    resource_type: "encrypt-resource",
    event_type: "TRANSACTION.SUCCESS",
    summary: "支付成功",
    resource: encryptResource(content),
    ...changes,
  };
}

interface Signing {
  key?: KeyObject;
  serial?: string;
  /** How many seconds the sender's clock is behind. */
  age?: number;
  /** The text to sign instead of the sent body. */
  signedBody?: string;
}

function wechatHeaders(
  body: string,
  { key = keys.privateKey, serial = SERIAL, age = 0, signedBody = body }: Signing = {},
) {
  return signatureHeaders(signedBody, { key, serial, age });
}

const send = (provider: string, body: string, headers: Record<string, string>) =>
  call("POST", `/api/pay/notify/${provider}`, {
    base: api.base,
    init: { body, headers: { "content-type": "application/json", ...headers } },
  });

const notify = (event: unknown, signing?: Signing) => {
  const body = JSON.stringify(event);
  return send("wechat", body, wechatHeaders(body, signing));
};

describe("a notification of WeChat Pay", () => {
  it("pays the order, responds as WeChat Pay expects, and starts the settlement", async () => {
    const referrer = await newMember();
    const own = await newOrder(referrer);
    await notify(wechatEvent(transaction(own)));
    const order = await newOrder(await newMember(referrer));
    const content = transaction(order);
    const event = wechatEvent(content);
    const reply = await notify(event);
    expect([reply.status, reply.body]).toEqual([200, { code: "SUCCESS", message: "OK" }]);
    expect(await stateOf(order)).toEqual({ state: "paid", pay_type: "wechat", pay_ref: content.transaction_id });
    expect([...(await recorded(event.id))]).toEqual([
      { outcome: "paid", reason: null, order_id: order.id, amount: "3600.00", currency: "CNY" },
    ]);
    await vi.waitFor(async () => {
      const [settlement] = await sql`select earner_uid, commission from app.settlements where order_id = ${order.id}`;
      expect(settlement).toEqual({ earner_uid: referrer, commission: "720.00" });
    });
  });

  it("has no second effect when it is repeated, also concurrently", async () => {
    const order = await newOrder();
    const event = wechatEvent(transaction(order));
    const replies = await Promise.all(Array.from({ length: 5 }, () => notify(event)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await recorded(event.id)).map(({ outcome }) => outcome).sort()).toEqual([
      "paid",
      "repeated",
      "repeated",
      "repeated",
      "repeated",
    ]);
  });

  it("is verified with the key of its serial number, and accepted for every app of the merchant", async () => {
    const order = await newOrder();
    const event = wechatEvent(transaction(order, { appid: "wx0000000000000002" }));
    expect((await notify(event, { serial: OLD_SERIAL })).status).toBe(401);
    expect((await notify(event, { key: oldKeys.privateKey, serial: OLD_SERIAL })).status).toBe(200);
    expect(await stateOf(order)).toMatchObject({ state: "paid" });
  });

  it.each<[string, Signing, string]>([
    ["of a stranger", { key: strangersKeys.privateKey }, "signature_wrong"],
    ["over another body", { signedBody: "{}" }, "signature_wrong"],
    ["with a key that nobody knows", { serial: "PUB_KEY_ID_0000" }, "key_unknown"],
    ["with the name of a property of all objects as its key", { serial: "constructor" }, "key_unknown"],
    ["of more than five minutes ago", { age: 301 }, "timestamp_out_of_range"],
    ["of more than five minutes ahead", { age: -310 }, "timestamp_out_of_range"],
  ])("changes nothing with a signature %s, and is recorded without its content", async (_kind, signing, reason) => {
    const order = await newOrder();
    const event = wechatEvent(transaction(order));
    const [before] =
      await sql`select count(*)::int as n from app.payment_notifications where outcome = 'unverified' and reason = ${reason}`;
    const reply = await notify(event, signing);
    expect([reply.status, reply.body]).toEqual([401, { code: "FAIL", message: "signature_invalid" }]);
    expect(await stateOf(order)).toMatchObject({ state: "unpaid" });
    const [after] =
      await sql`select count(*)::int as n from app.payment_notifications where outcome = 'unverified' and reason = ${reason}`;
    expect(after?.n).toBe(before?.n + 1);
    expect([...(await recorded(event.id))]).toEqual([]);
  });

  it("is accepted up to five minutes after it was signed", async () => {
    expect((await notify(wechatEvent(transaction(await newOrder())), { age: 290 })).status).toBe(200);
  });

  it("is rejected without any of the signature headers", async () => {
    const body = JSON.stringify(wechatEvent(transaction(await newOrder())));
    for (const missing of [
      "wechatpay-serial",
      "wechatpay-timestamp",
      "wechatpay-nonce",
      "wechatpay-signature",
    ] as const) {
      const { [missing]: _, ...headers } = wechatHeaders(body);
      expect((await send("wechat", body, headers)).status).toBe(401);
    }
  });

  it("is verified over its raw bytes, so added white space invalidates the signature", async () => {
    const body = JSON.stringify(wechatEvent(transaction(await newOrder())));
    expect((await send("wechat", `${body} `, wechatHeaders(body))).status).toBe(401);
    const spaced = `\n${body}\n `;
    expect((await send("wechat", spaced, wechatHeaders(spaced))).status).toBe(200);
  });

  it("is rejected if it is a signature probe", async () => {
    const body = JSON.stringify(wechatEvent(transaction(await newOrder())));
    const headers = wechatHeaders(body);
    expect(
      (
        await send("wechat", body, {
          ...headers,
          "wechatpay-signature": `WECHATPAY/SIGNTEST/${headers["wechatpay-signature"]}`,
        })
      ).status,
    ).toBe(401);
  });

  it.each<[string, (order: Order) => unknown, string]>([
    ["of another merchant", (order) => wechatEvent(transaction(order, { mchid: "1900000002" })), "merchant_differs"],
    ["of another app", (order) => wechatEvent(transaction(order, { appid: "wx9999999999999999" })), "merchant_differs"],
    [
      "of a fen less",
      (order) => wechatEvent(transaction(order, { amount: { total: 359999, currency: "CNY" } })),
      "amount_differs",
    ],
    [
      "of the price in yuan for fen",
      (order) => wechatEvent(transaction(order, { amount: { total: 3600, currency: "CNY" } })),
      "amount_differs",
    ],
    [
      "in another currency",
      (order) => wechatEvent(transaction(order, { amount: { total: 360000, currency: "USD" } })),
      "currency_differs",
    ],
    ["of an order that is none", () => wechatEvent(transaction({ order_no: "no-such-order" })), "order_unknown"],
    [
      "encrypted with another key",
      (order) => wechatEvent(null, { resource: encryptResource(transaction(order), "f".repeat(32)) }),
      "resource_unreadable",
    ],
    ["without an amount", (order) => wechatEvent(transaction(order, { amount: undefined })), "content_unreadable"],
    [
      "of a number that is not whole",
      (order) => wechatEvent(transaction(order, { amount: { total: 360000.5, currency: "CNY" } })),
      "content_unreadable",
    ],
  ])("%s is refused and recorded, and changes nothing else", async (_kind, make, reason) => {
    const order = await newOrder();
    const event = make(order) as { id: string };
    const reply = await notify(event);
    expect([reply.status, reply.body]).toEqual([422, { code: "FAIL", message: "payment_refused" }]);
    expect(await stateOf(order)).toEqual({ state: "unpaid", pay_type: null, pay_ref: null });
    expect([...(await recorded(event.id))]).toMatchObject([{ outcome: "refused", reason }]);
  });

  it.each(["no JSON at all", "[]", "{}", '{"id": 1}'])("that reads %s is refused and recorded", async (body) => {
    expect((await send("wechat", body, wechatHeaders(body))).status).toBe(422);
    const [last] = await sql`select outcome, reason, event_id from app.payment_notifications order by id desc limit 1`;
    expect(last).toEqual({ outcome: "refused", reason: "content_unreadable", event_id: null });
  });

  it("that reports no payment is accepted and changes nothing", async () => {
    const order = await newOrder();
    const closed = wechatEvent(transaction(order, { trade_state: "CLOSED" }));
    for (const event of [closed, wechatEvent({}, { event_type: "COUPON.USE" })]) {
      expect((await notify(event)).status).toBe(200);
      expect([...(await recorded(event.id))]).toMatchObject([{ outcome: "ignored" }]);
    }
    expect(await stateOf(order)).toMatchObject({ state: "unpaid" });
  });

  it("of a payment that cannot be applied to its order is accepted and recorded for attention, and changes nothing", async () => {
    const [cancelled, paid] = [await newOrder(), await newOrder()];
    await sql`select from app.cancel_order(${cancelled.id}, clock_timestamp())`;
    await notify(wechatEvent(transaction(paid)));
    const before = await stateOf(paid);
    for (const [order, reason] of [
      [cancelled, "order_state_conflict"],
      [paid, "order_already_paid"],
    ] as const) {
      const event = wechatEvent(transaction(order));
      expect((await notify(event)).status).toBe(200);
      expect([...(await recorded(event.id))]).toMatchObject([{ outcome: "attention", reason, order_id: order.id }]);
    }
    expect(await stateOf(paid)).toEqual(before);
    expect(await stateOf(cancelled)).toMatchObject({ state: "cancelled" });
  });

  it("of more than 64 KiB is not read", async () => {
    const body = JSON.stringify({ filler: "x".repeat(64 * 1024) });
    expectProblem(await send("wechat", body, wechatHeaders(body)), "body_too_large");
  });
});

describe("a notification of WeChat Pay about a refund", () => {
  /**
   * An order that a payment has paid and that is being refunded.
   * @returns the content of the notification of its refund
   */
  async function refunding(changes: Record<string, unknown> = {}) {
    const order = await newOrder();
    const [attempt] =
      await sql`select (a.attempt).attempt_no as no from app.open_attempt(${order.id}, 'wechat', 'h5', null, clock_timestamp()) as a`;
    const { mchid, transaction_id } = transaction(order);
    await notify(wechatEvent(transaction({ order_no: attempt!.no }, { transaction_id })));
    await sql`select from app.refund_order(${order.id}, null, 'refund', clock_timestamp())`;
    // Without an app and a currency.
    const amount = { total: 360000, refund: 360000, payer_total: 360000, payer_refund: 360000 };
    return {
      mchid,
      out_trade_no: attempt!.no,
      transaction_id,
      out_refund_no: `${attempt!.no}-r1`,
      refund_id: `50300${randomBytes(10).toString("hex")}`,
      refund_status: "SUCCESS",
      amount,
      ...changes,
    };
  }
  type Refund = Awaited<ReturnType<typeof refunding>>;
  const refundEvent = (content: Partial<Refund>) =>
    wechatEvent(content, { event_type: `REFUND.${content.refund_status}` });
  const refundOf = async ({ out_refund_no }: Refund) =>
    (await sql`select state, reason, provider_ref from app.provider_refunds where refund_no = ${out_refund_no}`)[0];
  const isQueried = async ({ out_refund_no }: Refund) =>
    (await sql`select from app.outbox where key = ${out_refund_no}`).length > 0;

  it.each([
    ["SUCCESS", "succeeded", "succeeded"],
    ["CLOSED", "failed", "CLOSED"],
  ] as const)("that is %s decides it as a query would", async (refund_status, state, reason) => {
    const refund = await refunding({ refund_status });
    const event = refundEvent(refund);
    expect(await isQueried(refund)).toBe(true);
    expect((await notify(event)).status).toBe(200);
    expect(await refundOf(refund)).toEqual({
      state,
      reason: state === "failed" ? reason : null,
      provider_ref: refund.refund_id,
    });
    expect(await isQueried(refund)).toBe(false);
    expect([...(await recorded(event.id))]).toMatchObject([
      { outcome: "refund", reason, order_id: expect.any(String), amount: "3600.00" },
    ]);
  });

  it("that is ABNORMAL is recorded, and the refund is queried until it is decided", async () => {
    const refund = await refunding({ refund_status: "ABNORMAL" });
    const event = refundEvent(refund);
    expect((await notify(event)).status).toBe(200);
    expect(await refundOf(refund)).toEqual({ state: "refunding", reason: null, provider_ref: refund.refund_id });
    expect(await isQueried(refund)).toBe(true);
    expect([...(await recorded(event.id))]).toMatchObject([{ outcome: "refund", reason: "ABNORMAL" }]);
    expect((await notify(refundEvent({ ...refund, refund_status: "SUCCESS" }))).status).toBe(200);
    expect(await refundOf(refund)).toMatchObject({ state: "succeeded" });
  });

  it("has no second effect when it is repeated, also concurrently, and a later one does not change a decided refund", async () => {
    const refund = await refunding();
    const replies = await Promise.all(Array.from({ length: 5 }, () => notify(refundEvent(refund))));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    for (const refund_status of ["CLOSED", "ABNORMAL"])
      expect((await notify(refundEvent({ ...refund, refund_status }))).status).toBe(200);
    expect(await refundOf(refund)).toMatchObject({ state: "succeeded", reason: null });
  });

  it("that the store did not request is accepted and changes nothing", async () => {
    const refund = await refunding();
    const event = refundEvent({ ...refund, out_refund_no: "made-on-the-pages-of-wechat-pay" });
    expect((await notify(event)).status).toBe(200);
    expect([...(await recorded(event.id))]).toMatchObject([
      { outcome: "ignored", reason: "refund_unknown", order_id: null },
    ]);
    expect(await refundOf(refund)).toMatchObject({ state: "refunding" });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["of another merchant", { mchid: "1900000009" }, "merchant_differs"],
    ["of another payment", { out_trade_no: "20261122000001-1" }, "payment_differs"],
    ["of a fen less", { amount: { total: 360000, refund: 359999 } }, "amount_differs"],
    ["without an amount", { amount: undefined }, "content_unreadable"],
    ["without a number", { out_refund_no: undefined }, "content_unreadable"],
  ])("%s is refused and recorded, and changes nothing else", async (_kind, changes, reason) => {
    const refund = await refunding();
    const event = refundEvent({ ...refund, ...changes });
    const reply = await notify(event);
    expect([reply.status, reply.body]).toEqual([422, { code: "FAIL", message: "payment_refused" }]);
    expect([...(await recorded(event.id))]).toMatchObject([{ outcome: "refused", reason }]);
    expect(await refundOf(refund)).toMatchObject({ state: "refunding" });
  });

  it("with the signature of a stranger changes nothing", async () => {
    const refund = await refunding();
    expect((await notify(refundEvent(refund), { key: strangersKeys.privateKey })).status).toBe(401);
    expect(await refundOf(refund)).toMatchObject({ state: "refunding" });
  });
});

describe("a notification signed according to Standard Webhooks", () => {
  const sendSigned = (
    content: unknown,
    { id = `evt_${randomUUID()}`, age = 0, secret = HMAC_SECRET, prefix = "" } = {},
  ) => {
    const body = JSON.stringify(content);
    const timestamp = String(Math.floor(Date.now() / 1000) - age);
    const signature = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64");
    return send("hmac", body, {
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": `${prefix}v1,${signature}`,
    });
  };
  const payment = (order: Order, changes: Record<string, unknown> = {}) => ({
    type: "payment.succeeded",
    data: { order_no: order.order_no, pay_ref: `till-${randomUUID()}`, amount: 360000, currency: "CNY", ...changes },
  });

  it("pays the order, once", async () => {
    const order = await newOrder();
    const content = payment(order);
    expect((await sendSigned(content)).status).toBe(200);
    expect((await sendSigned(content)).status).toBe(200);
    expect(await stateOf(order)).toEqual({ state: "paid", pay_type: "hmac", pay_ref: content.data.pay_ref });
  });

  it("may have several signatures while a secret is rotated", async () => {
    expect((await sendSigned(payment(await newOrder()), { prefix: "v1,AAAA v1a,xyz v1,%%% " })).status).toBe(200);
  });

  it("is rejected if it is old or from an unknown sender, and refused if it does not match the order", async () => {
    const order = await newOrder();
    expect((await sendSigned(payment(order), { age: 301 })).status).toBe(401);
    expect((await sendSigned(payment(order), { secret: randomBytes(32) })).status).toBe(401);
    expect((await sendSigned(payment(order, { amount: 1 }))).status).toBe(422);
    expect((await sendSigned({ type: "payment.succeeded" })).status).toBe(422);
    expect((await sendSigned({ ...payment(order), type: "payment.failed" })).status).toBe(200);
    expect(await stateOf(order)).toMatchObject({ state: "unpaid" });
  });
});

describe("a flood of unsigned notifications", () => {
  it("stores only a few rows and does not block genuine notifications", async () => {
    const order = await newOrder();
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => notify(wechatEvent({}), { key: strangersKeys.privateKey })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]));
    const [kept] =
      await sql`select count(*)::int as n from app.payment_notifications where provider = 'wechat' and outcome = 'unverified'`;
    expect(kept?.n).toBeLessThanOrEqual(20);
    expect((await notify(wechatEvent(transaction(order)))).status).toBe(200);
  });
});

describe("providers that are not configured", () => {
  it("return 404", async () => {
    const body = JSON.stringify(wechatEvent({}));
    for (const provider of ["wechat", "hmac", "alipay", "constructor", "__proto__"]) {
      const reply = await call("POST", `/api/pay/notify/${provider}`, { init: { body, headers: wechatHeaders(body) } });
      expectProblem(reply, "route_not_found");
    }
  });

  it.each(Object.keys(settings).filter((name) => name.startsWith("STORE_WECHAT")))(
    "are rejected if only %s is missing",
    (missing) => {
      const environment = new Map(Object.entries(settings));
      environment.delete(missing);
      expect(() => createWechatPay(environment)).toThrow(missing);
    },
  );

  it("are rejected with invalid settings", () => {
    const wechat = (name: string, value: string) => () =>
      createWechatPay(new Map(Object.entries({ ...settings, [name]: value })));
    expect(wechat("STORE_WECHAT_PAY_API_V3_KEY", "too short")).toThrow("32 bytes");
    expect(wechat("STORE_WECHAT_PAY_PUBLIC_KEYS", '{"A": "no key"}')).toThrow("in PEM");
    expect(() => createHmacProvider(new Map([["STORE_PAY_HMAC_SECRET", "whsec_c2hvcnQ="]]))).toThrow("24 bytes");
    expect(createHmacProvider(new Map())).toBeUndefined();
  });
});

describe("GET /adminapi/payment/notification", () => {
  it("filters by outcome and pages", async () => {
    const admin = await signUpAdmin("Bookkeeper");
    const buyer = await signUp("Buyer");
    const main = connect(stack().database_url);
    try {
      await main`
        select app.record_payment_notification('test', 'event-' || g, 'payment', null, 'no-such-order', 'ref-' || g, g, 'CNY', clock_timestamp())
        from generate_series(1, 5) as g`;
    } finally {
      await main.end();
    }
    const list = (query: string) => call("GET", `/adminapi/payment/notification?${query}`, { token: admin.token });
    const { body } = await list("outcome=refused&limit=3");
    expect(body.count).toBeGreaterThanOrEqual(5);
    expect(body.list[0]).toMatchObject({
      provider: "test",
      event_id: "event-5",
      amount: "5.00",
      outcome: "refused",
      reason: "order_unknown",
      order_id: null,
    });
    expect(
      (await list(`outcome=refused&limit=2&cursor=${encodeURIComponent(body.next_cursor)}`)).body.list.map(
        (row: { event_id: string }) => row.event_id,
      ),
    ).toEqual(["event-2", "event-1"]);
    expect(
      (await list("outcome=refused&limit=3&page=2")).body.list.map((row: { event_id: string }) => row.event_id),
    ).toEqual(expect.arrayContaining(["event-2"]));
    expect((await list("outcome=attention")).body.list).toEqual([]);
    expectProblem(await list("outcome=lost"), "invalid_argument");
    expectProblem(await call("GET", "/adminapi/payment/notification", { token: buyer.token }), "forbidden");
  });
});
