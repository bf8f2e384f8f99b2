import { createHash, createHmac, randomInt, randomUUID } from "node:crypto";
import { Hono } from "hono";
import type postgres from "postgres";
import { openConnection } from "../ground/open_connection.ts";
import type { AuthSettings } from "./app.ts";
import { Failed, failure } from "./failure.ts";
import { limitByAddress } from "./limit_by_address.ts";
import { storedMails } from "./mails.ts";
import { callerAddress } from "./sessions.ts";

/** Supabase Auth: how long a number waits for its next code, how long a code is valid, how long a hook may take. */
const [PAUSE_MS, VALID_MS, HOOK_MS] = [60_000, 60_000, 5_000];
/** Requests from one address: at most so many in this time, for codes as well as for attempts to enter one. */
const [MOST, WITHIN_MS] = [30, 300_000];

export type PhoneSettings = Pick<AuthSettings, "databaseUrl" | "siteUrl" | "publishableKey" | "mails" | "smsHook">;

const hashOf = (phone: string, code: string) =>
  createHash("sha224")
    .update(phone + code)
    .digest("hex");

/**
 * Sign-in by a code that is sent to a phone, which @supabase/lite does not have. Requests, responses and limits are
 * those of hosted Auth. Without a hook, the codes are stored as the mails are.
 * @param openSession handles a request of Auth with which a session begins
 */
export function createPhoneSignIn(
  settings: PhoneSettings,
  openSession: (request: Request) => Promise<Response> | Response,
) {
  const sql = openConnection(settings.databaseUrl, { max: 4 });
  const isLimited = limitByAddress(MOST, WITHIN_MS);
  const app = new Hono().basePath("/auth/v1");

  app.post("/otp", async (c) => {
    const {
      phone: given = "",
      create_user = true,
      data = {},
    } = await c.req.json<{ phone?: string; create_user?: boolean; data?: object }>();
    if (isLimited("otp", c.req.raw)) return failure(c, 429, "over_request_rate_limit", "Request rate limit reached");
    const phone = given.replace(/^\+/, "").replaceAll(" ", "");
    if (!/^[1-9]\d{1,14}$/.test(phone))
      return failure(c, 400, "validation_failed", "Invalid phone number format (E.164 required)");
    return sql
      .begin(async (transaction) => {
        const [known] =
          await transaction`select id, confirmation_sent_at from auth.users where phone = ${phone} for update`;
        if (!known && !create_user) throw new Failed(422, "otp_disabled", "Signups not allowed for otp");
        const sentAt = known?.confirmation_sent_at as Date | null | undefined;
        if (sentAt && Date.now() - sentAt.getTime() < PAUSE_MS)
          throw new Failed(
            429,
            "over_sms_send_rate_limit",
            "For security purposes, you can only request this after 60 seconds.",
          );
        const id = (known?.id as string | undefined) ?? (await createUser(transaction, phone, data));
        const code = String(randomInt(1_000_000)).padStart(6, "0");
        await send(settings, { id, phone, code, address: callerAddress(c.req.raw) });
        await transaction`
          update auth.users set confirmation_token = ${hashOf(phone, code)}, confirmation_sent_at = now() where id = ${id}`;
        return c.json({});
      })
      .catch((error: unknown) => {
        if (error instanceof Failed) return failure(c, error.status, error.code, error.message);
        throw error;
      });
  });

  app.post("/verify", async (c) => {
    const { phone: given = "", token = "" } = await c.req.json<{ phone?: string; token?: string }>();
    if (isLimited("verify", c.req.raw)) return failure(c, 429, "over_request_rate_limit", "Request rate limit reached");
    const phone = given.replace(/^\+/, "").replaceAll(" ", "");
    const [user] = await sql`
      update auth.users set confirmation_token = null, phone_confirmed_at = coalesce(phone_confirmed_at, now())
      where phone = ${phone} and confirmation_token = ${hashOf(phone, token)} and confirmation_sent_at > now() - ${VALID_MS}::integer * interval '1 millisecond'
        and coalesce(banned_until < now(), true)
      returning id`;
    if (!user) return failure(c, 403, "otp_expired", "Token has expired or is invalid");
    // A session of the Auth server begins with one of its links.
    const link = createHash("sha256").update(randomUUID()).digest("hex");
    await sql`update auth.users set recovery_token = ${link}, recovery_sent_at = now() where id = ${user.id as string}`;
    const headers = new Headers(c.req.raw.headers);
    headers.delete("content-length");
    headers.set("apikey", settings.publishableKey);
    return openSession(
      new Request(c.req.url, {
        method: "POST",
        headers,
        body: JSON.stringify({ type: "magiclink", token_hash: link }),
      }),
    );
  });
  return app;
}

/** Whether a request is about a phone, and not about an email address. */
export async function isForPhone(request: Request): Promise<boolean> {
  if (request.method !== "POST" || !/\/(otp|verify)$/.test(new URL(request.url).pathname)) return false;
  const body = (await request
    .clone()
    .json()
    .catch(() => ({}))) as { phone?: unknown };
  return typeof body.phone === "string";
}

/** @returns the id of a new account, whose password nobody knows */
async function createUser(transaction: postgres.TransactionSql, phone: string, data: object): Promise<string> {
  const id = randomUUID();
  await transaction`
    insert into auth.users (id, phone, role, encrypted_password, raw_app_meta_data, raw_user_meta_data)
    values (${id}, ${phone}, 'authenticated', ${randomUUID()}, '{"provider": "phone", "providers": ["phone"]}', ${transaction.json(data as postgres.JSONValue)})`;
  await transaction`
    insert into auth.identities (id, provider, provider_id, user_id, identity_data)
    values (${randomUUID()}, 'phone', ${id}, ${id}, ${transaction.json({ sub: id, phone, phone_verified: false })})`;
  return id;
}

interface Code {
  id: string;
  phone: string;
  code: string;
  address: string | undefined;
}

/** Sends a code by the hook, which gets what hosted Auth sends. @throws Failed as hosted Auth reports it */
async function send({ smsHook, mails, siteUrl }: PhoneSettings, { id, phone, code, address }: Code): Promise<void> {
  if (!smsHook) {
    if (mails !== undefined)
      await storedMails(mails, siteUrl).send({
        to: phone,
        subject: "登录验证码 · Sign-in code",
        html: `<p>${code}</p>`,
      });
    return;
  }
  const body = JSON.stringify({
    metadata: {
      uuid: randomUUID(),
      time: new Date().toISOString(),
      name: "send-sms",
      ...(address && { ip_address: address }),
    },
    user: { id, aud: "authenticated", role: "authenticated", phone },
    sms: { otp: code, phone },
  });
  const [messageId, seconds] = [randomUUID(), String(Math.floor(Date.now() / 1000))];
  const signature = createHmac("sha256", Buffer.from(smsHook.secret.replace(/^(v1,)?whsec_/, ""), "base64"))
    .update(`${messageId}.${seconds}.${body}`)
    .digest("base64");
  const response = await fetch(smsHook.uri, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": messageId,
      "webhook-timestamp": seconds,
      "webhook-signature": `v1,${signature}`,
    },
    body,
    signal: AbortSignal.timeout(HOOK_MS),
  }).catch(() => {
    throw new Failed(422, "hook_timeout", "Failed to reach hook within maximum time of 5.000000 seconds");
  });
  const answer = (await response.json().catch(() => ({}))) as { error?: { http_code?: number; message?: string } };
  if (!response.ok)
    throw new Failed(500, "unexpected_failure", `Unexpected status code returned from hook: ${response.status}`);
  // Hosted Auth passes on status and sentence, without a code of its own.
  if (answer.error?.message) throw new Failed(answer.error.http_code ?? 500, "", answer.error.message);
}
