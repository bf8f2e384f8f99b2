import { decodeJwt } from "jose";
import type postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ClonedDatabase, cloneDatabase, connect, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { H5 } from "../support/wechat/apps.ts";
import { FakeWechat, type Mood } from "../support/wechat/fake_wechat.ts";
import { type Account, call, copyAccounts, expectProblem, signUp } from "./client.ts";

const TICKET = "/cgi-bin/ticket/getticket";
const PAGE = "https://shop.example.com/h5/?spread=10001&share=x";
const UNKNOWN = "00000000-0000-4000-8000-000000000000";

const wechat = new FakeWechat();
let clone: ClonedDatabase;
let sql: postgres.Sql;
let member: Account;
let instances: EdgeFunction[];

beforeAll(async () => {
  const settings = {
    STORE_WECHAT_H5_APPID: H5.appid,
    STORE_WECHAT_H5_SECRET: H5.secret,
    STORE_WECHAT_API_URL: await wechat.start(),
  };
  clone = await cloneDatabase();
  sql = connect(clone.url);
  member = await signUp("陈静");
  await copyAccounts(sql, member);
  const [copy] =
    await sql`update app.users set nickname = '陈静' where auth_id = ${decodeJwt(member.token).sub!} returning uid::integer`;
  member.uid = copy!.uid;
  await sql`update app.settings set h5_share_url = 'https://shop.example.com/h5'`;
  instances = await Promise.all([1, 2].map(() => serveEdgeFunction("api", clone.url, settings)));
});
afterAll(async () => {
  await Promise.all((instances ?? []).map((served) => served.stop()));
  await sql?.end();
  await clone?.drop();
  await wechat.stop();
});
beforeEach(async () => {
  await sql`delete from app.wechat_tokens`;
  wechat.mood = "well";
  wechat.received.splice(0);
});

const at = (path: string, headers: Record<string, string> = {}, instance = 0) =>
  call("GET", path, { base: instances[instance]!.base, init: { headers } });
const sign = (url = PAGE, instance = 0) => at(`/api/wechat/signature?url=${encodeURIComponent(url)}`, {}, instance);
const asked = (path: string) => wechat.received.filter((request) => request.path === path).length;

describe("GET /api/wechat/signature", () => {
  it("signs a page of the store as WeChat wants it, with a ticket that all requests share", async () => {
    const first = await sign();
    expect([first.status, wechat.accepts(PAGE, first.body)]).toEqual([200, true]);
    expect(wechat.accepts(`${PAGE}&more`, first.body)).toBe(false);
    const second = await sign("https://shop.example.com/h5/", 1);
    expect(wechat.accepts("https://shop.example.com/h5/", second.body)).toBe(true);
    expect(second.body.nonce_str).not.toBe(first.body.nonce_str);
    expect([asked("/cgi-bin/stable_token"), asked(TICKET)]).toEqual([1, 1]);
  });

  // Guarantee money/wechat-ticket: WeChat is asked once for the ticket of its cards, however many pages are opened
  // By: one claim at a time, api.claim_wechat_ticket
  it("asks WeChat once for ten requests at once, to two instances", async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, (_, index) => sign(PAGE, index % 2)));
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
    expect(replies.map(({ body }) => wechat.accepts(PAGE, body))).toEqual(Array(10).fill(true));
    expect([asked("/cgi-bin/stable_token"), asked(TICKET)]).toEqual([1, 1]);
  });

  it("gets a new access token if WeChat rejects the saved one, and then the ticket", async () => {
    await sql`insert into app.wechat_tokens (appid, kind, token, expires_at) values (${H5.appid}, 'access_token', 'replaced', now() + interval '1 hour')`;
    expect(wechat.accepts(PAGE, (await sign()).body)).toBe(true);
    expect(asked(TICKET)).toBe(2);
  });

  it.each<Mood>(["busy", "rate limited", "asked too often", "unheard of", "html", "no token", "refusing every token"])(
    "says that the card is not available while WeChat is %s, and asks again only later",
    async (mood) => {
      wechat.mood = mood;
      const reply = await sign();
      expectProblem(reply, "wechat_unavailable");
      expect(reply.body.detail).toBe("WeChat shows no card of this page at the moment. Share its link instead.");
      const before = wechat.received.length;
      wechat.mood = "well";
      expectProblem(await sign(PAGE, 1), "wechat_unavailable");
      expect(wechat.received).toHaveLength(before);
      await sql`update app.wechat_tokens set expires_at = now() where token is null`;
      expect(wechat.accepts(PAGE, (await sign()).body)).toBe(true);
    },
  );

  it("does not wait for a WeChat that is silent longer than five seconds, nor do the others that need the ticket", async () => {
    wechat.mood = "silent";
    const start = performance.now();
    const replies = await Promise.all([sign(), sign(), sign(PAGE, 1)]);
    expect(performance.now() - start).toBeLessThan(9000);
    for (const reply of replies) expectProblem(reply, "wechat_unavailable");
    expect(asked(TICKET)).toBe(1);
  });

  it.each([
    "https://elsewhere.example.com/h5/",
    "https://shop.example.com.elsewhere.example.com/",
    `${PAGE}#/products/1`,
    "javascript:alert(1)",
    `https://shop.example.com/${"x".repeat(2000)}`,
    "",
  ])("signs nothing for the address %.60s", async (url) => {
    expectProblem(await sign(url), "invalid_argument");
    expect(wechat.received).toEqual([]);
  });

  it("says so if the store has no service account", async () => {
    expectProblem(
      await call("GET", `/api/wechat/signature?url=${encodeURIComponent(PAGE)}`),
      "wechat_app_not_configured",
    );
  });
});

describe("GET /api/spread/inviter", () => {
  const inviter = (query: Record<string, string | number>, address = "192.0.2.7") =>
    at(
      `/api/spread/inviter?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`,
      {
        "x-forwarded-for": `198.51.100.1, ${address}`,
      },
    );

  it("tells the name by the share code of the member, which the link of the poster does not have", async () => {
    const me = await call("GET", "/api/user", { token: member.token, base: instances[0]!.base });
    const { share_code } = me.body as { share_code: string };
    const poster = await call("GET", "/api/spread/poster", { token: member.token, base: instances[0]!.base });
    expect(poster.body.share_url).toBe(`https://shop.example.com/h5?spread=${member.uid}`);
    expect((await inviter({ uid: member.uid, code: share_code })).body).toEqual({ uid: member.uid, nickname: "陈静" });
    expect((await inviter({ uid: member.uid, code: UNKNOWN })).body).toBeNull();
    expect((await inviter({ uid: member.uid + 1, code: share_code })).body).toBeNull();
  });

  it.each<[string, Record<string, string>]>([
    ["without a code", { uid: "10001" }],
    ["with a code that is none", { uid: "10001", code: "1' or true" }],
    ["with a uid that is none", { uid: "-1", code: UNKNOWN }],
    ["with an address of its own", { uid: "10001", code: UNKNOWN, address: "192.0.2.9" }],
  ])("rejects a request %s", async (_kind, query) => {
    expectProblem(await inviter(query), "invalid_argument");
  });

  it("may be asked 300 times in an hour by an address, whatever the caller writes before it", async () => {
    await sql`
      insert into app.hourly_counts (what, began_at, count) values (sha256('names 192.0.2.8/32'), now(), 300)
      on conflict (what) do update set count = 300`;
    const rejected = await inviter({ uid: member.uid, code: UNKNOWN }, "192.0.2.8");
    expectProblem(rejected, "too_many_requests");
    expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(rejected.body.detail).toMatch(
      /^The names of inviters were asked for too often from this address\. Try again in \d+ minutes\.$/,
    );
    expect((await inviter({ uid: member.uid, code: UNKNOWN }, "192.0.2.10")).status).toBe(200);
  });

  // Guarantee money/share-link-name
  it("says nothing about a member who has left", async () => {
    const [code] = await sql`select share_code from app.users where uid = ${member.uid}`;
    await sql`delete from auth.users where id = (select auth_id from app.users where uid = ${member.uid})`;
    expect((await inviter({ uid: member.uid, code: code!.share_code })).body).toBeNull();
  });
});

describe("GET /api/article/{id}", () => {
  it("has an article that may be read, and no other", async () => {
    const [category] = await sql`insert into app.article_categories (title) values ('Stories') returning id::integer`;
    const [open] =
      await sql`insert into app.articles (cid, title, content) values (${category!.id}, 'Read me', '<p>Text</p>') returning id::integer`;
    const [draft] =
      await sql`insert into app.articles (cid, title, status) values (${category!.id}, 'Draft', 0) returning id::integer`;
    expect((await at(`/api/article/${open!.id}`)).body).toMatchObject({
      id: open!.id,
      title: "Read me",
      content: "<p>Text</p>",
    });
    expectProblem(await at(`/api/article/${draft!.id}`), "article_not_found");
    expectProblem(await at("/api/article/900000000000001"), "article_not_found");
    await sql`update app.article_categories set hidden = true where id = ${category!.id}`;
    expectProblem(await at(`/api/article/${open!.id}`), "article_not_found");
  });
});
