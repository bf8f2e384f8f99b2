import { randomUUID } from "node:crypto";
import { decodeJwt } from "jose";
import type postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createCodeExchange } from "../../functions/_shared/wechat/sign_in_code.ts";
import type { ErrorCode } from "../../functions/_shared/responses/error_registry.ts";
import { connect, type EdgeFunction, serveEdgeFunction, stack, supabaseClient } from "../support/index.ts";
import { AuthProxy } from "./auth_proxy.ts";
import { call, expectProblem, type Reply, signUp } from "./client.ts";
import { FakeWechat, type Mood } from "../support/wechat/fake_wechat.ts";
import { H5, MINI } from "../support/wechat/apps.ts";

const wechat = new FakeWechat();
let auth: AuthProxy;
let sql: postgres.Sql;
let api: EdgeFunction;

beforeAll(async () => {
  const { database_url, supabase_url } = stack();
  sql = connect(database_url);
  auth = new AuthProxy(supabase_url);
  api = await serveEdgeFunction("api", database_url, {
    SUPABASE_URL: await auth.start(),
    STORE_WECHAT_API_URL: await wechat.start(),
    STORE_WECHAT_MINI_APPID: MINI.appid,
    STORE_WECHAT_MINI_SECRET: MINI.secret,
    STORE_WECHAT_H5_APPID: H5.appid,
    STORE_WECHAT_H5_SECRET: H5.secret,
  });
});
afterAll(async () => {
  await api?.stop();
  await auth?.stop();
  await wechat.stop();
  await sql?.end();
});
beforeEach(() => {
  wechat.mood = "well";
  auth.loses = auth.blocks = auth.rejection = undefined;
  auth.received.splice(0);
});

const newOpenid = () => `o${randomUUID().replaceAll("-", "")}`;
const signIn = (json: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
  call("POST", "/api/auth/wechat", { json, base: api.base, init: { headers } });
/** Signs in with the openid as nickname, by which the tests count accounts. */
const signInAs = (openid: string, more: object = {}) =>
  signIn({ code: wechat.codeOf(openid), nickname: openid, ...more });

/** Imports a member whom an openid or a phone number claims. @returns the uid */
async function importedMember({
  openid = null,
  phone = null,
}: {
  openid?: string | null;
  phone?: string | null;
}): Promise<number> {
  const [row] = await sql<{ uid: string }[]>`
    with member as (insert into app.users (nickname) values ('Imported') returning uid),
    balances as (insert into app.user_balances (uid) select uid from member),
    origin as (insert into app.imported_members (old_uid, uid, phone, imported_at) select uid, uid, ${phone}, now() from member),
    ids as (insert into app.imported_openids (openid, uid) select ${openid}, uid from member where ${openid}::text is not null)
    select uid from member`;
  return Number(row?.uid);
}

interface Session {
  access_token: string;
  refresh_token: string;
  uid: number;
}

/** Expects a session whose token is accepted and that refreshes. */
async function expectSession({ access_token, refresh_token, uid }: Session): Promise<void> {
  expect((await call("GET", "/api/user", { token: access_token })).body.uid).toBe(uid);
  const { data, error } = await supabaseClient().auth.refreshSession({ refresh_token });
  expect(error).toBeNull();
  expect((await call("GET", "/api/user", { token: data.session!.access_token })).body.uid).toBe(uid);
}

/** The Auth accounts, members and rows of a WeChat user. */
const accountsOf = async (openid: string) =>
  (
    await sql`
  select (select count(*)::integer from auth.users where raw_user_meta_data ->> 'nickname' = ${openid}) as accounts,
         (select count(*)::integer from app.users where nickname = ${openid}) as members,
         (select count(*)::integer from app.wechat_accounts where openid = ${openid}) as ids`
  )[0];
const ONE = { accounts: 1, members: 1, ids: 1 };
const NONE = { accounts: 0, members: 0, ids: 0 };

describe("the first sign-in of a WeChat user", () => {
  it("creates an account with the referrer of the share link and a session that refreshes", async () => {
    const referrer = await signUp("Referrer");
    const { status, body } = await signInAs(newOpenid(), {
      spread: String(referrer.uid),
      nickname: "小林",
      avatar: "https://thirdwx.qlogo.cn/a/132",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ is_new: true, spread_bound: true, token_type: "bearer", expires_in: 3600 });
    await expectSession(body);
    const me = (await call("GET", "/api/user", { token: body.access_token })).body;
    expect(me).toMatchObject({
      uid: body.uid,
      nickname: "小林",
      avatar: "https://thirdwx.qlogo.cn/a/132",
      spread_uid: referrer.uid,
    });
  });

  it("creates an account without the avatar if its origin is not allowed", async () => {
    const { status, body } = await signInAs(newOpenid(), {
      nickname: "小林",
      avatar: "https://tracker.example.com/a.png",
    });
    expect(status).toBe(200);
    expect((await call("GET", "/api/user", { token: body.access_token })).body).toMatchObject({
      uid: body.uid,
      nickname: "小林",
      avatar: null,
    });
  });

  it("gives the imported member to whom the openid belongs, who keeps the referrer", async () => {
    const [openid, other] = [newOpenid(), await signUp("Other referrer")];
    const uid = await importedMember({ openid });
    const { status, body } = await signInAs(openid, { spread: String(other.uid) });
    expect([status, body.uid, body.is_new, body.spread_bound]).toEqual([200, uid, true, false]);
    await expectSession(body);
    expect(await sql`select nickname, spread_uid from app.users where uid = ${uid}`).toEqual([
      { nickname: "Imported", spread_uid: null },
    ]);
    expect((await signInAs(openid)).body.uid).toBe(uid);
  });

  it.each([
    ["of nobody", () => "900000000000001"],
    ["that is no uid", () => "spread=abc'\0"],
    ["that is a fraction", () => 1.5],
    ["that is empty", () => ""],
    ["that is absent", () => undefined],
  ])("is not prevented by a spread %s", async (_kind, spread) => {
    const { status, body } = await signInAs(newOpenid(), { spread: spread() });
    expect([status, body.is_new, body.spread_bound]).toEqual([200, true, false]);
  });

  it("creates different accounts for openids that differ only in case", async () => {
    const openid = newOpenid();
    const [one, two] = [await signInAs(openid), await signInAs(openid.toUpperCase())];
    expect([one.body.is_new, two.body.is_new]).toEqual([true, true]);
    expect(one.body.uid).not.toBe(two.body.uid);
  });

  it("shows the openid nowhere in the account", async () => {
    const openid = newOpenid();
    const { body } = await signIn({ code: wechat.codeOf(openid, { unionid: `u${openid}` }) });
    const [account] =
      await sql`select u::text as row from auth.users as u where u.id = ${decodeJwt(body.access_token).sub!}`;
    expect(`${account!.row}${JSON.stringify(decodeJwt(body.access_token))}`.toLowerCase()).not.toContain(
      openid.slice(1),
    );
    expect(await sql`select unionid from app.wechat_accounts where openid = ${openid}`).toEqual([
      { unionid: `u${openid}` },
    ]);
  });

  it("creates one account if 20 race, and every one gets a session that refreshes", async () => {
    const openid = newOpenid();
    const replies = await Promise.all(Array.from({ length: 20 }, () => signInAs(openid)));
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(replies.map(({ body }) => body.uid)).size).toBe(1);
    expect(replies.filter(({ body }) => body.is_new)).toHaveLength(1);
    expect(new Set(replies.map(({ body }) => body.refresh_token)).size).toBe(20);
    expect(await accountsOf(openid)).toEqual(ONE);
    for (const { body } of replies) await expectSession(body);
  });
});

describe("a later sign-in", () => {
  it("returns a session of the same account and ignores spread and nickname", async () => {
    const [openid, other] = [newOpenid(), await signUp("Too late")];
    const first = await signInAs(openid, { nickname: "First" });
    const second = await signInAs(openid, { nickname: "Second", spread: other.uid });
    expect(second.body).toMatchObject({ uid: first.body.uid, is_new: false, spread_bound: false });
    expect((await call("GET", "/api/user", { token: second.body.access_token })).body).toMatchObject({
      nickname: "First",
      spread_uid: null,
    });
    await expectSession(first.body);
  });

  it("says that the referrer is bound if it is", async () => {
    const [openid, referrer] = [newOpenid(), await signUp("Known referrer")];
    await signInAs(openid, { spread: referrer.uid });
    expect((await signInAs(openid, { spread: referrer.uid })).body).toMatchObject({
      is_new: false,
      spread_bound: true,
    });
  });

  it("works after the member has changed the email address", async () => {
    const openid = newOpenid();
    const { body } = await signInAs(openid);
    await sql`update auth.users set email = ${`${randomUUID()}@example.com`} where id = ${decodeJwt(body.access_token).sub!}`;
    expect((await signInAs(openid)).body).toMatchObject({ uid: body.uid, is_new: false });
  });

  it("after the account was deleted creates another account", async () => {
    const openid = newOpenid();
    const { body } = await signInAs(openid);
    await sql`delete from auth.users where id = ${decodeJwt(body.access_token).sub!}`;
    const again = await signInAs(openid);
    expect(again.body.is_new).toBe(true);
    expect(again.body.uid).not.toBe(body.uid);
  });
});

describe("a web page in WeChat", () => {
  it("signs in with the code of its service account, as another user than in the mini program", async () => {
    const openid = newOpenid();
    const mini = await signInAs(openid);
    const h5 = await signIn({ code: wechat.codeOf(openid, {}, H5), appid: H5.appid });
    expect(h5.body).toMatchObject({ is_new: true });
    expect(h5.body.uid).not.toBe(mini.body.uid);
    await expectSession(h5.body);
  });

  it("in preview mode is rejected, because the user is virtual", async () => {
    const openid = newOpenid();
    expectProblem(
      await signIn({ code: wechat.codeOf(openid, { is_snapshotuser: 1 }, H5), appid: H5.appid, nickname: openid }),
      "wechat_user_virtual",
    );
    expect(await accountsOf(openid)).toEqual(NONE);
  });
});

describe("a sign-in that fails", () => {
  it.each<[string, ErrorCode, () => object | Promise<object>]>([
    ["unknown", "wechat_code_invalid", () => ({ code: "never-issued" })],
    ["of another app", "wechat_code_invalid", () => ({ code: wechat.codeOf(newOpenid(), {}, H5) })],
    [
      "replayed",
      "wechat_code_invalid",
      async () => {
        const code = wechat.codeOf(newOpenid());
        await signIn({ code });
        return { code };
      },
    ],
    [
      "of an app that is not configured",
      "wechat_app_not_configured",
      () => ({ code: "code", appid: "wx9999999999999999" }),
    ],
    ["that is empty", "invalid_argument", () => ({ code: "" })],
    ["that is missing", "invalid_argument", () => ({ spread: 1 })],
  ])("because of a code %s returns a problem in both languages and creates nothing", async (_kind, problem, body) => {
    const nickname = newOpenid();
    const json = { nickname, ...(await body()) };
    const english = await signIn(json);
    expectProblem(english, problem);
    const chinese = await signIn(json, { "accept-language": "zh-CN" });
    expectProblem(chinese, problem);
    expect(chinese.headers.get("content-language")).toBe("zh");
    expect(await accountsOf(nickname)).toEqual(NONE);
  });

  it.each<[Mood, ErrorCode]>([
    ["html", "wechat_unavailable"],
    ["busy", "wechat_unavailable"],
    ["broken", "wechat_unavailable"],
    ["rate limited", "wechat_unavailable"],
    ["cut off", "wechat_unavailable"],
    ["silent", "wechat_unavailable"],
    ["risk controlled", "wechat_user_refused"],
    ["asked too often", "sign_in_too_often"],
  ])("because WeChat is %s returns %s and creates nothing", async (mood, problem) => {
    wechat.mood = mood;
    const openid = newOpenid();
    expectProblem(await signInAs(openid), problem);
    expect(await accountsOf(openid)).toEqual(NONE);
  });

  it.each(["/auth/v1/admin/users", "/auth/v1/admin/generate_link", "/auth/v1/verify"])(
    "because the Auth server does not respond to %s can be repeated immediately",
    async (path) => {
      const openid = newOpenid();
      auth.blocks = path;
      expectProblem(await signInAs(openid), "auth_unavailable");
      auth.blocks = undefined;
      await expectSession((await signInAs(openid)).body);
    },
  );

  it.each(["/auth/v1/admin/users", "/auth/v1/admin/generate_link", "/auth/v1/verify"])(
    "because the response to %s is lost creates at most one account",
    async (path) => {
      const openid = newOpenid();
      auth.loses = path;
      expectProblem(await signInAs(openid), "auth_unavailable");
      await expectSession((await signInAs(openid)).body);
      expect(await accountsOf(openid)).toEqual(ONE);
    },
  );

  it.each<[number, string, ErrorCode]>([
    [403, "user_banned", "forbidden"],
    [429, "over_request_rate_limit", "sign_in_too_often"],
    [403, "otp_expired", "auth_unavailable"],
  ])("because the Auth server returns %i %s returns %s", async (status, error_code, problem) => {
    auth.rejection = { status, error_code };
    expectProblem(await signInAs(newOpenid()), problem);
  });

  it("because WeChat sign-in is not configured names the reason", async () => {
    expectProblem(await call("POST", "/api/auth/wechat", { json: { code: "code" } }), "wechat_app_not_configured");
    expect(() => createCodeExchange(new Map([["STORE_WECHAT_H5_APPID", "wx"]]))).toThrow("STORE_WECHAT_H5_SECRET");
  });

  it("leaves a sign-in in progress, which another one replaces when it expires", async () => {
    const openid = newOpenid();
    await signInAs(openid);
    await sql`update app.wechat_accounts set sign_in_id = gen_random_uuid(), sign_in_until = now() + interval '1 second' where openid = ${openid}`;
    expect((await signInAs(openid)).status).toBe(200);
  });
});

describe("POST /api/auth/wechat", () => {
  it("rejects Idempotency-Key, so that no response with a token is stored", async () => {
    const code = wechat.codeOf(newOpenid());
    const reply = await signIn({ code }, { "Idempotency-Key": randomUUID() });
    expectProblem(reply, "invalid_argument");
    expect(reply.body.errors).toEqual([expect.objectContaining({ in: "header", pointer: "/Idempotency-Key" })]);
    expect((await signIn({ code })).status).toBe(200);
  });

  it("passes the caller's address on to the Auth server, which limits sessions by address, and the name of the device, by which members know them", async () => {
    const device = "Mozilla/5.0 (iPhone) MicroMessenger/8.0";
    await signIn(
      { code: wechat.codeOf(newOpenid()) },
      { "x-forwarded-for": "203.0.113.7, 10.0.0.1", "user-agent": device },
    );
    await signIn(
      { code: wechat.codeOf(newOpenid()) },
      { "x-forwarded-for": "203.0.113.7", "cf-connecting-ip": "2001:db8::1" },
    );
    await signIn({ code: wechat.codeOf(newOpenid()) }, { "x-forwarded-for": "not an address" });
    const verified = auth.received.filter(({ path }) => path === "/auth/v1/verify").map(({ headers }) => headers);
    expect(verified.map((headers) => headers["sb-forwarded-for"])).toEqual(["10.0.0.1", "203.0.113.7", undefined]);
    expect(verified[0]!["user-agent"]).toBe(device);
    expect(verified.map((headers) => headers.apikey)).toEqual(Array(3).fill(stack().secret_key));
  });
});

describe("POST /api/user/phone", () => {
  const takePhone = (token: string, code: string, headers: Record<string, string> = {}) =>
    call("POST", "/api/user/phone", { token, json: { code }, base: api.base, init: { headers } });

  it("gives the imported member with this number, if the member of the account has done nothing yet", async () => {
    const { token, uid } = await signUp("Came back");
    const imported = await importedMember({ phone: "8613811112222" });
    expect((await takePhone(token, wechat.phoneCodeOf("13811112222"))).body).toEqual({
      uid: imported,
      phone: "8613811112222",
    });
    expect((await call("GET", "/api/user", { token })).body).toMatchObject({ uid: imported, nickname: "Imported" });
    expect(await sql`select from app.users where uid = ${uid}`).toHaveLength(0);
  });

  it("stores the number that WeChat returns, with its country code", async () => {
    const { uid, token } = await signUp("With a phone");
    expect((await takePhone(token, wechat.phoneCodeOf("13800000000"))).body).toEqual({ uid, phone: "8613800000000" });
    expect((await takePhone(token, wechat.phoneCodeOf("91234567", "852"))).body).toEqual({ uid, phone: "85291234567" });
    expect(await sql`select phone from app.users where uid = ${uid}`).toEqual([{ phone: "85291234567" }]);
  });

  it("requests a new access token if WeChat rejects the old one", async () => {
    const { token } = await signUp("With an old token");
    await takePhone(token, wechat.phoneCodeOf("13800000001"));
    wechat.token = `token-${randomUUID()}`;
    expect((await takePhone(token, wechat.phoneCodeOf("13800000002"))).body.phone).toBe("8613800000002");
  });

  it.each<[string, Mood, ErrorCode]>([
    ["an unknown code", "well", "wechat_code_invalid"],
    ["a silent WeChat", "silent", "wechat_unavailable"],
    ["a page of HTML", "html", "wechat_unavailable"],
    ["no access token", "refusing every token", "wechat_unavailable"],
  ])("changes nothing after %s", async (_kind, mood, problem) => {
    const { uid, token } = await signUp("Without a phone");
    wechat.mood = mood;
    expectProblem(await takePhone(token, "never-issued"), problem);
    expect(await sql`select phone from app.users where uid = ${uid}`).toEqual([{ phone: null }]);
  });

  it("rejects a number that another app took, a used code, Idempotency-Key, and a store without a mini program", async () => {
    const { token } = await signUp("Refused");
    expectProblem(await takePhone(token, wechat.phoneCodeOf("13800000003", "86", H5.appid)), "wechat_unavailable");
    const code = wechat.phoneCodeOf("13800000004");
    expect((await takePhone(token, code)).status).toBe(200);
    expectProblem(await takePhone(token, code), "wechat_code_invalid");
    expectProblem(await takePhone(token, code, { "Idempotency-Key": randomUUID() }), "invalid_argument");
    expectProblem(await call("POST", "/api/user/phone", { token, json: { code } }), "wechat_app_not_configured");
  });
});
