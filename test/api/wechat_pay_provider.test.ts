import { createPrivateKey, createPublicKey } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type PaymentProvider,
  type PaymentTerms,
  ProviderRefused,
  type RefundTerms,
} from "../../functions/_shared/providers/provider.ts";
import { createWechatPay } from "../../functions/_shared/providers/wechat_pay/notifications.ts";
import {
  openTransfers,
  type Transfers,
  type TransferTerms,
} from "../../functions/_shared/providers/wechat_pay/transfers.ts";
import { createWechatPayProvider } from "../../functions/_shared/providers/wechat_pay/payments.ts";
import { signLines } from "../../functions/_shared/providers/wechat_pay/signature.ts";
import { FakeWechatPay, MCHID, PUBLIC_KEY_ID, type Trouble } from "../support/wechat/fake_wechat_pay.ts";
import { MINI } from "../support/wechat/apps.ts";
import { decryptPersonal } from "../support/wechat/pay_crypto.ts";
import recorded from "./wechat_pay_recorded.json" with { type: "json" };

const wechatPay = new FakeWechatPay();
let provider: PaymentProvider;
let settings: Map<string, string>;
let transfers: Transfers;

beforeAll(async () => {
  await wechatPay.start();
  settings = new Map(
    Object.entries({ ...wechatPay.settings(), STORE_FUNCTIONS_URL: "https://store.example.com/functions/v1" }),
  );
  provider = createWechatPayProvider(settings)!;
  transfers = openTransfers(settings)!;
});
afterAll(() => wechatPay.stop());
beforeEach(() => {
  wechatPay.received.splice(0);
  wechatPay.usesCertificate = false;
  wechatPay.balance = 10 ** 12;
});

let count = 0;
const terms = (changes: Partial<PaymentTerms> = {}): PaymentTerms => ({
  attemptNo: `20261122${String((count += 1)).padStart(8, "0")}-1`,
  amountMinor: 360000,
  description: "商城 20261122000001",
  method: "jsapi",
  openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o",
  expiresAt: new Date(Date.now() + 30 * 60_000),
  ...changes,
});

const transferTerms = (changes: Partial<TransferTerms> = {}): TransferTerms => ({
  transferNo: `W20261122${String((count += 1)).padStart(8, "0")}`,
  appid: MINI.appid,
  openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o",
  amountMinor: 9940,
  payeeName: null,
  ...changes,
});

/** A payment that is paid. @returns the terms of its refund */
async function paid(amountMinor = 360000): Promise<RefundTerms> {
  const { attemptNo } = await started({ amountMinor });
  expect(wechatPay.pay(attemptNo)).toBe(true);
  return { attemptNo, refundNo: `${attemptNo}-r1`, amountMinor, totalMinor: amountMinor, reason: "太大" };
}

async function started(changes: Partial<PaymentTerms> = {}): Promise<PaymentTerms> {
  const started = terms(changes);
  await provider.start(started);
  return started;
}

/** Expects that the outcome is unknown: an error, but no refusal. */
async function expectUnknown(call: Promise<unknown>): Promise<void> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(ProviderRefused);
}

describe("starting a payment", () => {
  it("in WeChat returns what wx.requestPayment takes, signed by the merchant", async () => {
    const payment = terms();
    const start = await provider.start(payment);
    expect(start).toMatchObject({
      kind: "jsapi",
      appId: MINI.appid,
      signType: "RSA",
      timeStamp: expect.stringMatching(/^\d{10}$/),
      package: expect.stringMatching(/^prepay_id=wx/),
    });
    if (start.kind !== "jsapi") throw new Error(start.kind);
    expect(
      FakeWechatPay.isMerchants([start.appId, start.timeStamp, start.nonceStr, start.package], start.paySign),
    ).toBe(true);
    expect(JSON.parse(wechatPay.received[0]!.body)).toEqual({
      appid: MINI.appid,
      mchid: MCHID,
      description: payment.description,
      out_trade_no: payment.attemptNo,
      time_expire: `${payment.expiresAt.toISOString().slice(0, 19)}+00:00`,
      notify_url: "https://store.example.com/functions/v1/api/pay/notify/wechat",
      amount: { total: 360000, currency: "CNY" },
      payer: { openid: payment.openid },
    });
  });

  it("in a browser returns an address", async () => {
    expect(await provider.start(terms({ method: "h5", clientIp: "203.0.113.7" }))).toMatchObject({
      kind: "h5",
      h5_url: expect.stringMatching(/^https:\/\//),
    });
    expect(JSON.parse(wechatPay.received[0]!.body).scene_info).toEqual({
      payer_client_ip: "203.0.113.7",
      h5_info: { type: "Wap" },
    });
  });

  it("can be repeated with the same values", async () => {
    const payment = await started();
    expect(await provider.start(payment)).toMatchObject({ kind: "jsapi" });
    expect(wechatPay.transactions.get(payment.attemptNo)?.trade_state).toBe("NOTPAY");
  });

  it("with invalid values is refused", async () => {
    await expect(provider.start(terms({ amountMinor: 0 }))).rejects.toMatchObject({ reason: "PARAM_ERROR" });
    await expect(provider.start(terms({ method: "local" }))).rejects.toBeInstanceOf(ProviderRefused);
  });

  it("that was paid, closed, or started with other values leaves the outcome to a query", async () => {
    const payment = await started();
    await expectUnknown(provider.start({ ...payment, amountMinor: 1 }));
    await provider.close(payment.attemptNo);
    await expectUnknown(provider.start(payment));
    const { attemptNo, amountMinor } = await paid();
    await expectUnknown(provider.start(terms({ attemptNo, amountMinor })));
  });
});

describe("a query", () => {
  it("returns the state of a payment", async () => {
    const { attemptNo } = await started();
    expect(await provider.query(attemptNo)).toEqual({ state: "open" });
    wechatPay.pay(attemptNo);
    const { transaction_id } = wechatPay.transactions.get(attemptNo)!;
    const reported = { state: "paid", transactionId: transaction_id, amountMinor: 360000, currency: "CNY" };
    expect(await provider.query(attemptNo)).toEqual(reported);
    await provider.refund({ attemptNo, refundNo: `${attemptNo}-r`, amountMinor: 1, totalMinor: 360000, reason: "" });
    expect(await provider.query(attemptNo)).toEqual(reported);
    expect(await provider.query("never-started")).toEqual({ state: "unknown" });
  });

  it("after the close says closed, also if it is closed twice, or paid if the payer was faster", async () => {
    const [closed, faster] = [await started(), await started()];
    wechatPay.pay(faster.attemptNo);
    for (const { attemptNo } of [closed, closed, faster]) await provider.close(attemptNo);
    expect(await provider.query(closed.attemptNo)).toEqual({ state: "closed" });
    expect(await provider.query(faster.attemptNo)).toMatchObject({ state: "paid" });
    // WeChat Pay confirms the close of numbers that it does not know.
    await provider.close("never-started");
    expect(await provider.query("never-started")).toEqual({ state: "unknown" });
  });
});

describe("a refund", () => {
  it("is accepted, decided later, and made once however often it is requested", async () => {
    const refund = await paid();
    const first = await provider.refund(refund);
    expect(first).toEqual({ state: "accepted", refundId: expect.any(String) });
    expect(await provider.refund(refund)).toEqual(first);
    expect(wechatPay.balance).toBe(10 ** 12 - 360000);
    expect(wechatPay.refunds.get(refund.refundNo)!.request.notify_url).toBe(
      "https://store.example.com/functions/v1/api/pay/notify/wechat",
    );
    wechatPay.refunds.get(refund.refundNo)!.status = "SUCCESS";
    expect(await provider.queryRefund(refund.refundNo)).toEqual({ ...first, state: "succeeded" });
  });

  it.each([
    ["CLOSED", "failed"],
    ["ABNORMAL", "accepted"],
  ] as const)("that is %s is %s", async (status, state) => {
    const refund = await paid();
    await provider.refund(refund);
    wechatPay.refunds.get(refund.refundNo)!.status = status;
    expect(await provider.queryRefund(refund.refundNo)).toMatchObject({ state, reason: status });
  });

  it("is refused if the merchant has not enough money, the payment is unknown, or it exceeds the payment", async () => {
    const refund = await paid();
    await expect(provider.refund({ ...refund, amountMinor: 360001 })).rejects.toMatchObject({
      reason: "INVALID_REQUEST",
    });
    await expect(provider.refund({ ...refund, attemptNo: "never-started" })).rejects.toMatchObject({
      reason: "RESOURCE_NOT_EXISTS",
    });
    wechatPay.balance = 0;
    await expect(provider.refund(refund)).rejects.toMatchObject({ reason: "NOT_ENOUGH" });
    expect(await provider.queryRefund(refund.refundNo)).toEqual({ state: "unknown" });
  });

  it("whose number was used with other values leaves the outcome to a query", async () => {
    const refund = await paid();
    await provider.refund(refund);
    await expectUnknown(provider.refund({ ...refund, amountMinor: 1 }));
  });
});

describe("a transfer", () => {
  it("waits for the member, is made once however often it is requested, and returns each time what opens the page of WeChat", async () => {
    const terms = transferTerms();
    const first = await transfers.request(terms);
    expect(first).toEqual({ state: "confirming", transferId: expect.any(String), packageInfo: expect.any(String) });
    expect(await transfers.request(terms)).toEqual(first);
    expect(await transfers.query(terms.transferNo, terms.amountMinor)).toEqual({
      state: "confirming",
      transferId: first.transferId,
    });
    expect(wechatPay.balance).toBe(10 ** 12 - 9940);
  });

  it.each([
    ["TRANSFERING", { state: "transferring" }],
    ["SUCCESS", { state: "succeeded" }],
    ["CANCELING", { state: "cancelling" }],
    ["FAIL", { state: "failed", reason: "FAIL" }],
    ["CANCELLED", { state: "cancelled", reason: "CANCELLED" }],
    ["ACCEPTED", { state: "accepted" }],
    ["SOMETHING_NEW", { state: "accepted" }],
  ] as const)("that is %s at WeChat Pay is %j", async (state, reported) => {
    const terms = transferTerms();
    await transfers.request(terms);
    wechatPay.transfers.get(terms.transferNo)!.state = state as "SUCCESS";
    expect(await transfers.query(terms.transferNo, terms.amountMinor)).toEqual({
      ...reported,
      transferId: expect.any(String),
    });
  });

  it("names the member encrypted, with the key that the request names, and the repeated request is the same one", async () => {
    const terms = transferTerms({ amountMinor: 200_000, payeeName: "林薇" });
    await transfers.request(terms);
    await transfers.request(terms);
    const [one, two] = wechatPay.received.map(({ body, headers }) => ({
      name: (JSON.parse(body) as { user_name: string }).user_name,
      serial: headers["wechatpay-serial"],
    }));
    expect(one!.name).not.toBe(two!.name);
    expect([one!.serial, two!.serial]).toEqual([PUBLIC_KEY_ID, PUBLIC_KEY_ID]);
    expect(wechatPay.transfers.get(terms.transferNo)!.request.user_name).toBe("林薇");
  });

  it("with a platform certificate only is encrypted with that", async () => {
    const keys = Object.entries(
      JSON.parse(settings.get("STORE_WECHAT_PAY_PUBLIC_KEYS")!) as Record<string, string>,
    ).filter(([serial]) => serial !== PUBLIC_KEY_ID);
    const terms = transferTerms({ amountMinor: 200_000, payeeName: "林薇" });
    await openTransfers(
      new Map([...settings, ["STORE_WECHAT_PAY_PUBLIC_KEYS", JSON.stringify(Object.fromEntries(keys))]]),
    )!.request(terms);
    expect(wechatPay.transfers.get(terms.transferNo)!.request.user_name).toBe("林薇");
  });

  it("that is refused for any reason leaves the outcome unknown", async () => {
    await expectUnknown(transfers.request(transferTerms({ amountMinor: 1 })));
    await expectUnknown(transfers.request(transferTerms({ amountMinor: 200_000 })));
    await expectUnknown(transfers.request(transferTerms({ appid: "wx-of-somebody-else" })));
    const terms = transferTerms();
    await transfers.request(terms);
    await expectUnknown(transfers.request({ ...terms, amountMinor: 9941 }));
    await expectUnknown(transfers.query(terms.transferNo, 9941));
    wechatPay.balance = 0;
    await expectUnknown(transfers.request(transferTerms()));
  });

  it("is cancelled while nobody has confirmed it", async () => {
    const [waiting, confirmed] = [transferTerms(), transferTerms()];
    for (const terms of [waiting, confirmed]) await transfers.request(terms);
    wechatPay.confirmTransfer(confirmed.transferNo);
    await transfers.cancel(waiting.transferNo);
    expect(await transfers.query(waiting.transferNo, waiting.amountMinor)).toMatchObject({ state: "cancelling" });
    await expectUnknown(transfers.cancel(confirmed.transferNo));
    expect(await transfers.query("W2026112200000000", 1)).toEqual({ state: "unknown" });
  });

  it("is notified in a form that we read", async () => {
    const terms = transferTerms();
    const { transferId } = await transfers.request(terms);
    wechatPay.decideTransfer(terms.transferNo, "OVERDUE_CLOSE");
    const { headers, body } = wechatPay.transferNotification(terms.transferNo);
    expect(
      await createWechatPay(settings)!.read({
        headers: new Headers(headers),
        body: new TextEncoder().encode(body),
        receivedAt: new Date(),
      }),
    ).toEqual({
      eventId: expect.any(String),
      kind: "transfer",
      withdrawalNo: terms.transferNo,
      openid: terms.openid,
      amountMinor: 9940,
      reported: { state: "failed", transferId, reason: "OVERDUE_CLOSE" },
    });
  });
});

describe.each<Trouble>(["before", "after", "unsigned", "forged", "old", "changed", "html", "failing", "limited"])(
  "a response that is %s",
  (trouble) => {
    it("leaves the outcome of every call unknown", async () => {
      const [payment, open, refund, refunded] = [terms(), await started(), await paid(), await paid()];
      const [transfer, requested] = [transferTerms(), transferTerms()];
      await Promise.all([provider.refund(refunded), transfers.request(requested)]);
      const calls = [
        () => provider.start(payment),
        () => provider.query(open.attemptNo),
        () => provider.refund(refund),
        () => provider.queryRefund(refunded.refundNo),
        () => transfers.request(transfer),
        () => transfers.query(requested.transferNo, requested.amountMinor),
        () => transfers.cancel(requested.transferNo),
        () => provider.close(open.attemptNo),
      ];
      for (const call of calls) {
        // The response to a close is empty, so nothing in it can be changed.
        if (trouble === "changed" && call === calls.at(-1)) continue;
        wechatPay.trouble(/./, trouble);
        await expectUnknown(call());
      }
    });

    it("does not count as a refusal, either", async () => {
      wechatPay.trouble(/./, trouble === "changed" ? "forged" : trouble);
      await expectUnknown(provider.start(terms({ amountMinor: 0 })));
    });
  },
);

describe("the keys of WeChat Pay", () => {
  it("are requested by name, and both are accepted while a merchant switches", async () => {
    const { attemptNo } = await started();
    wechatPay.usesCertificate = true;
    expect(await provider.query(attemptNo)).toEqual({ state: "open" });
    expect(wechatPay.received.map(({ headers }) => headers["wechatpay-serial"])).toEqual([
      PUBLIC_KEY_ID,
      PUBLIC_KEY_ID,
    ]);
  });

  it("that are unknown are not accepted", async () => {
    const keys = JSON.parse(settings.get("STORE_WECHAT_PAY_PUBLIC_KEYS")!) as Record<string, string>;
    const onlyCertificate = createWechatPayProvider(
      new Map([
        ...settings,
        [
          "STORE_WECHAT_PAY_PUBLIC_KEYS",
          JSON.stringify({ "5157F09EFDC096DE15EBE81A47057A7232F1B8E2": keys[PUBLIC_KEY_ID] }),
        ],
      ]),
    )!;
    await expectUnknown(onlyCertificate.query("20261122"));
    expect(wechatPay.received[0]!.headers["wechatpay-serial"]).toBeUndefined();
  });
});

// What it signed and encrypted, with keys that are used only there. The package itself would bring 35 others.
describe("wechatpay-axios-plugin, an independent implementation,", () => {
  const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, "base64"));
  const wechatPayKey = createPrivateKey({
    key: Buffer.from(recorded.wechat_pay_private_key_pkcs8, "base64"),
    format: "der",
    type: "pkcs8",
  });

  it.each(recorded.requests)(
    "signed a $method as we do",
    async ({ method, path, timestamp, nonce, body, signature }) => {
      const merchant = { privateKey: bytes(recorded.merchant_private_key_pkcs8) };
      // A signature of this kind has no random part.
      expect(await signLines(merchant, [method, path, timestamp, nonce, body])).toBe(signature);
    },
  );

  it("encrypted a name that the fake reads", () => {
    expect(decryptPersonal(recorded.encrypted_name.text, wechatPayKey)).toBe(recorded.encrypted_name.name);
  });

  it("signed and encrypted a notification that we read", async () => {
    const { timestamp, nonce, signature, body } = recorded.notification;
    const headers = {
      "wechatpay-serial": PUBLIC_KEY_ID,
      "wechatpay-timestamp": timestamp,
      "wechatpay-nonce": nonce,
      "wechatpay-signature": signature,
    };
    const adapter = createWechatPay(
      new Map([
        ...settings,
        ["STORE_WECHAT_PAY_APPIDS", "wx8888888888888888"],
        [
          "STORE_WECHAT_PAY_PUBLIC_KEYS",
          JSON.stringify({ [PUBLIC_KEY_ID]: createPublicKey(wechatPayKey).export({ type: "spki", format: "pem" }) }),
        ],
      ]),
    )!;
    const message = {
      headers: new Headers(headers),
      body: new TextEncoder().encode(body),
      receivedAt: new Date(Number(timestamp) * 1000),
    };
    expect(await adapter.read(message)).toEqual({
      eventId: "event",
      kind: "payment",
      orderNo: "20261122",
      payRef: "42000",
      amountMinor: 1,
      currency: "CNY",
    });
    const changed = new TextEncoder().encode(body.replace('"event"', '"other"'));
    await expect(adapter.read({ ...message, body: changed })).rejects.toThrow("signature_wrong");
  });
});

describe("the settings", () => {
  it("are all needed, or none", () => {
    expect(createWechatPayProvider(new Map())).toBeUndefined();
    const without = (name: string) => () =>
      createWechatPayProvider(new Map([...settings].filter(([key]) => key !== name)));
    expect(without("STORE_WECHAT_PAY_SERIAL")).toThrow("STORE_WECHAT_PAY_SERIAL");
    expect(without("STORE_WECHAT_PAY_MCHID")).toThrow("STORE_WECHAT_PAY_MCHID");
    expect(() => createWechatPayProvider(new Map([...settings, ["STORE_WECHAT_PAY_PRIVATE_KEY", "secret"]]))).toThrow(
      "apiclient_key.pem",
    );
  });

  it("of transfers name another scene, and are reported if they are wrong", () => {
    expect(openTransfers(new Map())).toBeUndefined();
    expect(() => openTransfers(new Map([...settings, ["STORE_WECHAT_TRANSFER_REPORT", "[]"]]))).toThrow(
      "STORE_WECHAT_TRANSFER_REPORT",
    );
  });

  it("may have line breaks of the private key as \\n", async () => {
    const key = settings.get("STORE_WECHAT_PAY_PRIVATE_KEY")!.replaceAll("\n", "\\n");
    expect(
      await createWechatPayProvider(new Map([...settings, ["STORE_WECHAT_PAY_PRIVATE_KEY", key]]))!.query("20261122"),
    ).toEqual({
      state: "unknown",
    });
  });
});
