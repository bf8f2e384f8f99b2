import { createHmac, randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { z } from "zod";
import { type LocalPayment, type Ledger, Refusal } from "./ledger.ts";
import { type Language, paymentPage } from "./page.ts";

/** The settings of the local provider. */
export interface LocalPaymentsSettings {
  /** `whsec_` and base64: authorizes the store, and signs notifications. */
  secret: string;
  /** The public address of the pages, without a trailing slash. */
  pageUrl: string;
  /** Where notifications are sent. */
  notifyUrl: string;
}

const number = z.string().regex(/^[0-9A-Za-z-]{1,64}$/);
const amount = z.int().min(1);
const paymentTerms = z.strictObject({
  attemptNo: number,
  amountMinor: amount,
  description: z.string().max(127),
  expiresAt: z.iso.datetime(),
});
const refundTerms = z.strictObject({
  attemptNo: number,
  refundNo: number,
  amountMinor: amount,
  totalMinor: amount,
  reason: z.string(),
});

/** How long the provider waits before it repeats a notification that was not accepted. */
const PAUSES_MS = [0, 1000, 5000, 30_000, 120_000];

/**
 * The local payment provider: an API for the store, and a page on which the payer accepts or declines. For demo and
 * tests.
 */
export function createLocalPayments(settings: LocalPaymentsSettings, ledger: Ledger, notify = sendNotification): Hono {
  const { secret, pageUrl } = settings;
  const app = new Hono();
  app.onError((error, c) =>
    error instanceof Refusal
      ? c.json({ reason: error.message }, 422)
      : c.json({ reason: String(error) }, error instanceof z.ZodError ? 400 : 500),
  );

  app.use("/payments/*", bearerAuth({ token: secret }));
  app.use("/payments", bearerAuth({ token: secret }));
  app.use("/refunds/*", bearerAuth({ token: secret }));
  app.use("/refunds", bearerAuth({ token: secret }));
  app.post("/payments", async (c) =>
    c.json({ url: `${pageUrl}/${ledger.start(paymentTerms.parse(await c.req.json())).token}` }),
  );
  app.get("/payments/:no", (c) => c.json(ledger.query(c.req.param("no"))));
  app.post("/payments/:no/close", (c) => {
    ledger.close(c.req.param("no"));
    return c.json({});
  });
  app.post("/refunds", async (c) => c.json(ledger.refund(refundTerms.parse(await c.req.json()))));
  app.get("/refunds/:no", (c) => c.json(ledger.queryRefund(c.req.param("no"))));

  const show = (c: Context, declined: boolean) => {
    const payment = ledger.find(c.req.param("token")!);
    c.header(
      "content-security-policy",
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
    );
    c.header("referrer-policy", "no-referrer");
    c.header("cache-control", "no-store");
    return c.html(
      paymentPage({ language: languageOf(c), payment, declined, redirectUrl: redirectOf(c, pageUrl), now: new Date() }),
      payment ? 200 : 404,
    );
  };
  app.get("/pay/:token", (c) => show(c, false));
  app.post("/pay/:token", async (c) => {
    const { choice } = await c.req.parseBody();
    const paid = choice === "pay" ? ledger.pay(c.req.param("token")) : undefined;
    if (paid) void notify(settings, paid);
    const redirectUrl = redirectOf(c, pageUrl);
    // 303: a reload of the next page sends no second choice.
    return redirectUrl
      ? c.redirect(redirectUrl, 303)
      : paid
        ? c.redirect(c.req.url.slice(new URL(c.req.url).origin.length), 303)
        : show(c, choice === "decline");
  });
  return app;
}

function languageOf(c: Context): Language {
  const wanted = c.req.query("lang") ?? c.req.header("accept-language") ?? "";
  return wanted.toLowerCase().startsWith("zh") ? "zh" : "en";
}

/**
 * Where the payer returns to: only an address of the same origin as the page, so that the page cannot be used to
 * redirect elsewhere.
 */
function redirectOf(c: Context, pageUrl: string): string | undefined {
  const { origin } = new URL(pageUrl);
  const wanted = c.req.query("redirect_url");
  if (wanted === undefined || !URL.canParse(wanted, origin)) return undefined;
  const url = new URL(wanted, origin);
  return url.origin === origin ? url.href : undefined;
}

/** The body and the headers of a notification, signed according to Standard Webhooks. */
export function signedNotification(
  secret: string,
  { attemptNo, transactionId, amountMinor }: LocalPayment,
  now = new Date(),
) {
  const body = JSON.stringify({
    type: "payment.succeeded",
    data: { order_no: attemptNo, pay_ref: transactionId, amount: amountMinor, currency: "CNY" },
  });
  const id = `evt_${randomUUID()}`;
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  return {
    body,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signature,
    },
  };
}

async function sendNotification({ secret, notifyUrl }: LocalPaymentsSettings, payment: LocalPayment): Promise<void> {
  for (const pause of PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const accepted = await fetch(notifyUrl, {
      method: "POST",
      ...signedNotification(secret, payment),
      signal: AbortSignal.timeout(10_000),
    }).then(
      async (response) => (await response.body?.cancel(), response.ok),
      () => false,
    );
    if (accepted) return;
  }
}
