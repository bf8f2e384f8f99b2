import { createHmac, randomBytes, randomInt } from "node:crypto";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { AuthClient } from "@supabase/auth-js";
import type postgres from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createPhoneSignIn } from "../../scripts/auth/phones.ts";
import { FakeSms } from "../support/fake_sms.ts";
import { connect, type EdgeFunction, serveEdgeFunction, stack } from "../support/index.ts";
import { listenOnLoopback, stopServer } from "../support/loopback_server.ts";
import { call, expectProblem } from "./client.ts";

// An Auth server with the hook of the store, the worker behind it, and a provider of text messages behind that.
// Sessions begin at the Auth server of the stack.

const SECRET = `v1,whsec_${randomBytes(32).toString("base64")}`;
const provider = new FakeSms();
let worker: EdgeFunction;
let sql: postgres.Sql;
let auth: { url: string; server: ReturnType<typeof createServer> };

const newPhone = () => `138${String(randomInt(10 ** 8)).padStart(8, "0")}`;

/** A client of the Auth server. @param address of its user, as a proxy reports it */
const client = (address?: string) =>
  new AuthClient({
    url: auth.url,
    headers: { apikey: stack().publishable_key, ...(address !== undefined && { "x-forwarded-for": address }) },
    persistSession: false,
    autoRefreshToken: false,
    detectSessionInUrl: false,
  });
const ask = (phone: string, address?: string, data?: object) =>
  client(address).signInWithOtp({ phone: `+86${phone}`, ...(data && { options: { data } }) });
const enter = (phone: string, token: string) => client().verifyOtp({ phone: `+86${phone}`, token, type: "sms" });
/** As if the last code had been sent so long ago. */
const age = (phone: string, seconds: number) =>
  sql`update auth.users set confirmation_sent_at = now() - ${seconds}::integer * interval '1 second' where phone = ${`86${phone}`}`;

beforeAll(async () => {
  sql = connect(stack().database_url, { max: 4 });
  worker = await serveEdgeFunction("worker", stack().database_url, {
    ...(await provider.start()),
    STORE_SMS_HOOK_SECRETS: SECRET,
  });
  const { supabase_url, publishable_key, database_url } = stack();
  const phones = createPhoneSignIn(
    {
      databaseUrl: database_url,
      siteUrl: supabase_url,
      publishableKey: publishable_key,
      smsHook: { uri: `${worker.base}/worker/sms`, secret: SECRET },
    },
    async (request) => {
      const response = await fetch(`${supabase_url}/auth/v1/verify`, {
        method: "POST",
        headers: { apikey: publishable_key, "content-type": "application/json" },
        body: await request.text(),
      });
      return Response.json(await response.json(), { status: response.status });
    },
  );
  const listen = getRequestListener(phones.fetch);
  const server = createServer((request, response) => void listen(request, response));
  auth = { server, url: `${await listenOnLoopback(server)}/auth/v1` };
});
afterEach(() => {
  provider.mood = "well";
});
afterAll(async () => {
  await stopServer(auth.server);
  await worker.stop();
  await provider.stop();
  await sql.end();
});

describe("a code by phone", { concurrent: false }, () => {
  it("signs a new member up, who has the number, and signs the same member in again", async () => {
    const phone = newPhone();
    expect((await ask(phone, "192.0.2.1", { nickname: "By phone" })).error).toBeNull();
    const first = await enter(phone, provider.codeOf(phone));
    expect(first.error).toBeNull();
    const me = await call("GET", "/api/user", { token: first.data.session!.access_token });
    expect(me.body).toMatchObject({ nickname: "By phone" });
    expect(await sql`select phone from app.users where uid = ${me.body.uid}`).toEqual([{ phone: `86${phone}` }]);

    await age(phone, 61);
    expect((await ask(phone)).error).toBeNull();
    const second = await enter(phone, provider.codeOf(phone));
    expect((await call("GET", "/api/user", { token: second.data.session!.access_token })).body.uid).toBe(me.body.uid);
    expect((await call("GET", "/api/user/session", { token: second.data.session!.access_token })).body.count).toBe(2);
  });

  // Guarantee privacy/phone-code: A code by phone works once, for a minute, and never if it is unknown whether it was
  // sent
  // By: the Auth server stores it after the hook, functions/worker/send_sign_in_code.ts
  it("works once, for a minute, and only as it was sent", async () => {
    const phone = newPhone();
    await ask(phone);
    const code = provider.codeOf(phone);
    const wrong = await enter(phone, code === "000000" ? "000001" : "000000");
    expect(wrong.error).toMatchObject({ status: 403, code: "otp_expired" });
    await age(phone, 61);
    expect((await enter(phone, code)).error).toMatchObject({ code: "otp_expired" });
    await ask(phone);
    const next = provider.codeOf(phone);
    expect((await enter(newPhone(), next)).error).toMatchObject({ code: "otp_expired" });
    expect((await enter(phone, next)).error).toBeNull();
    expect((await enter(phone, next)).error).toMatchObject({ code: "otp_expired" });
  });

  it("is sent once a minute and five times an hour to a number, and thirty times an hour for an address", async () => {
    const phone = newPhone();
    await ask(phone);
    expect((await ask(phone)).error).toMatchObject({ status: 429, code: "over_sms_send_rate_limit" });
    for (let count = 2; count <= 5; count += 1) {
      await age(phone, 61);
      expect((await ask(phone)).error).toBeNull();
    }
    await age(phone, 61);
    expect((await ask(phone)).error).toMatchObject({ status: 429, message: expect.stringContaining("Too many codes") });
    expect(provider.sent.filter((each) => each.phone === phone)).toHaveLength(5);

    const address = `2001:db8::${randomInt(1, 10 ** 4)}`;
    const codes = await sql`select api.count_code(${`86${newPhone()}`}, ${address}) from generate_series(1, 1)`;
    expect(codes).toHaveLength(1);
    await sql`update app.hourly_counts set count = 30 where what = sha256(convert_to('address ' || app.network_of(${address}), 'UTF8'))`;
    expect((await ask(newPhone(), address)).error).toMatchObject({
      status: 429,
      message: expect.stringContaining("Too many codes"),
    });
    await sql`update app.hourly_counts set began_at = began_at - interval '1 hour'`;
    expect((await ask(newPhone(), address)).error).toBeNull();
  });

  // Guarantee privacy/phone-code
  it("that the provider refuses, loses or delays leaves a sentence, and no code that works", async () => {
    const expectations = [
      [{ code: "isv.BUSINESS_LIMIT_CONTROL" }, 429],
      [{ code: "isv.MOBILE_NUMBER_ILLEGAL" }, 422],
      [{ code: "isv.AMOUNT_NOT_ENOUGH" }, 503],
      [{ code: "a code of the future", status: 500 }, 503],
      ["html", 503],
      ["silent", 503],
    ] as const;
    for (const [mood, status] of expectations) {
      const phone = newPhone();
      provider.mood = mood;
      expect((await ask(phone)).error, JSON.stringify(mood)).toMatchObject({ status });
      expect(await sql`select from auth.users where phone = ${`86${phone}`}`).toHaveLength(0);
    }
    provider.mood = "well";
    expect((await client().signInWithOtp({ phone: "+14155550123" })).error).toMatchObject({ status: 422 });
    expect((await client().signInWithOtp({ phone: "12" + "x" })).error).toMatchObject({ status: 400 });
    expect(worker.log()).not.toMatch(/138\d{8}/);
  });
});

describe("the hook of the Auth server", { concurrent: false }, () => {
  const secret = Buffer.from(SECRET.replace("v1,whsec_", ""), "base64");
  const signed = (body: string, { key = secret, seconds = Math.floor(Date.now() / 1000) } = {}) => ({
    body,
    headers: {
      "content-type": "application/json",
      "webhook-id": "m1",
      "webhook-timestamp": String(seconds),
      "webhook-signature": `v1,${createHmac("sha256", key).update(`m1.${seconds}.${body}`).digest("base64")}`,
    },
  });
  const post = (init: RequestInit, base = worker.base) => call("POST", "/worker/sms", { base, init });
  const body = (phone: string, otp = "123456") => JSON.stringify({ user: { phone }, sms: { otp } });

  it("is believed only with its signature and the present time", async () => {
    const phone = newPhone();
    expectProblem(await post({ body: body(`86${phone}`) }), "signature_invalid");
    expectProblem(await post(signed(body(`86${phone}`), { key: randomBytes(32) })), "signature_invalid");
    expectProblem(
      await post(signed(body(`86${phone}`), { seconds: Math.floor(Date.now() / 1000) - 600 })),
      "signature_invalid",
    );
    expectProblem(await post(signed("{}")), "invalid_argument");
    expectProblem(await post(signed(body("not a number"))), "invalid_argument");
    expect(provider.sent.filter((each) => each.phone === phone)).toEqual([]);
    expect(await post(signed(body(`86${phone}`, "654321")))).toMatchObject({ status: 200, body: {} });
    expect(provider.codeOf(phone)).toBe("654321");
  });

  it("is believed by nobody without a secret, and told that no code was sent where no provider is configured", async () => {
    expectProblem(await post(signed(body("8613800000000")), stack().functions_url), "signature_invalid");
    const plain = await serveEdgeFunction("worker", stack().database_url, { STORE_SMS_HOOK_SECRETS: SECRET });
    const { status, body: answer } = await post(signed(body("8613800000000")), plain.base);
    expect([status, answer.error.http_code]).toEqual([200, 503]);
    expect(plain.log()).toContain("no provider of text messages is configured");
    await plain.stop();
  });
});
