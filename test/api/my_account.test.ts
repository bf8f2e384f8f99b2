import { randomUUID } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, stack } from "../support/index.ts";
import { plainPng } from "../support/wechat/fake_wechat.ts";
import {
  accountIdOf,
  addProduct,
  type Account,
  call,
  expectProblem,
  giveCommission,
  givePoints,
  signUp,
  signUpAdmin,
} from "./client.ts";

let sql: postgres.Sql;
beforeAll(() => {
  sql = connect(stack().database_url);
});
afterAll(() => sql.end());

const as = (
  { token }: Pick<Account, "token">,
  method: string,
  path: string,
  json?: unknown,
  headers: Record<string, string> = {},
) => call(method, path, { token, ...(json !== undefined && { json }), init: { headers } });

/** Another session of the same account. */
async function signInAgain({ email, password }: Account, userAgent?: string): Promise<string> {
  const { supabase_url, publishable_key } = stack();
  const { auth } = createClient(supabase_url, publishable_key, {
    auth: { persistSession: false, autoRefreshToken: false },
    ...(userAgent !== undefined && { global: { headers: { "user-agent": userAgent } } }),
  });
  const { data, error } = await auth.signInWithPassword({ email, password });
  if (error) throw error;
  return data.session.access_token;
}

const refresh = async (token: string) =>
  (
    await sql`
  select r.token from auth.refresh_tokens as r where r.session_id = ${JSON.parse(atob(token.split(".")[1]!)).session_id}`
  )[0]?.token;

describe("the sessions of a member", () => {
  it("are listed, and end one by one or all but the present one", async () => {
    const member = await signUp("Signed in often");
    const phone = await signInAgain(
      member,
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) MicroMessenger/8.0",
    );
    const tablet = await signInAgain(member);
    const { body } = await as(member, "GET", "/api/user/session");
    expect(body.count).toBe(3);
    expect(body.list.filter(({ is_current }: { is_current: boolean }) => is_current)).toHaveLength(1);
    const onPhone = body.list.find(({ user_agent }: { user_agent: string | null }) => user_agent?.includes("iPhone"));
    expect(onPhone).toMatchObject({ is_current: false });

    expect((await as(member, "DELETE", `/api/user/session/${onPhone.id}`)).body).toEqual({ ended: 1 });
    expectProblem(await as(member, "DELETE", `/api/user/session/${onPhone.id}`), "session_not_found");
    expectProblem(await as(member, "DELETE", "/api/user/session/7"), "invalid_argument");
    // Its access token goes on until it expires, but is not renewed.
    expect((await as({ token: phone }, "GET", "/api/user")).status).toBe(200);
    expect(await refresh(phone)).toBeUndefined();

    expect((await as({ token: tablet }, "DELETE", "/api/user/session")).body).toEqual({ ended: 1 });
    expect((await as({ token: tablet }, "GET", "/api/user/session")).body).toMatchObject({
      count: 1,
      list: [{ is_current: true }],
    });
    expect(await refresh(member.token)).toBeUndefined();
    expect(await refresh(tablet)).toBeDefined();
  });
});

describe("the data of a member", () => {
  // Guarantee privacy/export
  it("are a file with everything about them and nobody else, a few times an hour", async () => {
    const member = await signUp("Reader of their data");
    const other = await signUp("Somebody else", member.uid);
    const download = () => as(member, "POST", "/api/user/export");
    const { status, headers, body, text } = await download();
    expect([status, headers.get("content-disposition")], text).toEqual([200, 'attachment; filename="my_data.json"']);
    const tables = body.records.map(({ table }: { table: string }) => table);
    expect(tables).toEqual(expect.arrayContaining(["auth.users", "app.users", "app.user_balances"]));
    expect(text).toContain(member.email);
    expect(text).not.toContain(other.email);
    expect(text).not.toContain("Somebody else");
    expectProblem(
      await as(member, "POST", "/api/user/export", undefined, { "idempotency-key": randomUUID() }),
      "invalid_argument",
    );
    await download();
    await download();
    const refused = await download();
    expectProblem(refused, "too_many_requests");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3000);
    expectProblem(await call("POST", "/api/user/export"), "unauthenticated");
  });
});

describe("the deletion of an account", () => {
  const present = async (member: Account) => (await as(member, "GET", "/api/user/deletion")).body;

  // Guarantee privacy/leaving: A member leaves within eight days, unless a withdrawal, order or refund is in progress,
  // and gives up only what they confirmed or earned since
  // By: one transaction, app.delete_account_if_due
  it("is asked for with what is given up, can be taken back, and leaves neither the account nor the member's data", async () => {
    const member = await signUp("Leaver");
    await givePoints(member, "3.5");
    await giveCommission(member, "12.30");
    const before = await present(member);
    expect(before).toMatchObject({
      state: "none",
      due_at: null,
      forfeit: { brokerage: "12.30", frozen_points: 0, available_points: 3.5 },
      obstacles: [],
      needs_sign_in: false,
    });
    const { forfeit } = before;
    expectProblem(await as(member, "POST", "/api/user/deletion", {}), "invalid_argument");
    expectProblem(
      await as(member, "POST", "/api/user/deletion", { forfeit: { ...forfeit, brokerage: "-1.00" } }),
      "invalid_argument",
    );
    expectProblem(
      await as(member, "POST", "/api/user/deletion", { forfeit: { ...forfeit, brokerage: "12.31" } }),
      "changed_meanwhile",
    );
    expectProblem(
      await as(member, "POST", "/api/user/deletion", { forfeit: { ...forfeit, available_points: 0 } }),
      "changed_meanwhile",
    );
    const asked = await as(member, "POST", "/api/user/deletion", { forfeit });
    expect([asked.status, asked.body.state], asked.text).toEqual([200, "waiting"]);
    expect(Date.parse(asked.body.due_at) - Date.parse(asked.body.asked_at)).toBe(7 * 86_400_000);

    const admin = await signUpAdmin("Reader of members");
    const seen = () => as(admin, "GET", `/adminapi/user/${member.uid}`);
    expect((await seen()).body.deletion).toEqual({
      asked_at: asked.body.asked_at,
      due_at: asked.body.due_at,
      done_at: null,
    });

    const product = await addProduct("For those who stay", "10.00", false);
    const order = { items: [{ product_id: product, quantity: 1 }] };
    expectProblem(await as(member, "POST", "/api/order", order), "account_leaving");
    expect((await as(member, "DELETE", "/api/user/deletion")).body).toMatchObject({ state: "none" });
    expect((await as(member, "DELETE", "/api/user/deletion")).body).toMatchObject({ state: "none" });
    expect((await as(member, "POST", "/api/order", order)).status).toBe(201);
    expect(await present(member)).toMatchObject({
      obstacles: [{ reason: "order_open", count: 1, amount: null, until: null }],
    });
    const refused = await as(member, "POST", "/api/user/deletion", { forfeit }, { "accept-language": "zh" });
    expectProblem(refused, "deletion_not_possible");
    expect(refused.body.detail).toBe("有订单尚未完成，请付款、取消或确认收货。");
    const [placed] = (await as(member, "GET", "/api/order")).body.list;
    expect((await as(member, "PUT", `/api/order/${placed.id}/cancel`)).status).toBe(200);

    expect((await as(member, "POST", "/api/user/deletion", { forfeit })).status).toBe(200);
    // The job acts only on deletions that are due.
    await sql`update app.account_deletions set asked_at = asked_at - interval '7 days', due_at = due_at - interval '7 days' where uid = ${member.uid}`;
    await sql`call app.delete_due_accounts()`;
    expect(await sql`select from auth.users where id = ${accountIdOf(member)}`).toHaveLength(0);
    expect(await sql`select nickname from app.users where uid = ${member.uid}`).toEqual([
      { nickname: "已注销 · Deleted member" },
    ]);
    expect((await seen()).body.deletion.done_at).not.toBeNull();
    const rows =
      await sql`select payload::text from auth.audit_log_entries where payload::text like ${`%${member.email}%`}`;
    expect(rows).toHaveLength(0);
    expectProblem(await as(member, "GET", "/api/user/deletion"), "unauthenticated");
    await expect(signInAgain(member)).rejects.toThrow();
  });

  it("leaves the tree as it is, under a neutral name, and no file of the picture", async () => {
    const referrer = await signUp("Referrer who stays");
    const member = await signUp("Leaver with a team", referrer.uid);
    const below = await signUp("Below the leaver", member.uid);
    const init = { headers: { "content-type": "image/png" }, body: new Uint8Array(plainPng(9, 9, 9, 64)) };
    const picture = await call("POST", "/picture/avatar", { token: member.token, init });
    expect((await as(member, "PUT", "/api/user", { avatar: picture.body.small_url })).status).toBe(200);
    expect((await fetch(picture.body.url)).status).toBe(200);

    const { forfeit } = await present(member);
    expect((await as(member, "POST", "/api/user/deletion", { forfeit })).status).toBe(200);
    await sql`update app.account_deletions set asked_at = asked_at - interval '7 days', due_at = due_at - interval '7 days' where uid = ${member.uid}`;
    await sql`call app.delete_due_accounts()`;
    await expect.poll(async () => (await fetch(picture.body.url)).status).toBeGreaterThanOrEqual(400);
    // The worker removes the row after the files.
    await expect
      .poll(async () => (await sql`select from app.pictures where owner = ${accountIdOf(member)}`).length)
      .toBe(0);

    const { list } = (await as(referrer, "GET", "/api/spread/people?depth=direct")).body;
    expect(list).toMatchObject([{ uid: member.uid, nickname: "已注销 · Deleted member", avatar: null }]);
    expect((await as(below, "GET", "/api/user")).body.spread_uid).toBe(member.uid);
    // A link that the member shared before.
    const late = await signUp("By an old link", member.uid);
    expect((await as(late, "GET", "/api/user")).body.spread_uid).toBeNull();
    expectProblem(await as(late, "PUT", "/api/user/spread", { spread_uid: member.uid }), "spread_unknown");
  });

  it("ends what they earn, which the administration shows with the time and the reason", async () => {
    const member = await signUp("Leaver who earned");
    const below = await signUp("Buyer below the leaver", member.uid);
    const admin = await signUpAdmin("Reader of leavers");
    const { forfeit } = await present(member);
    expect((await as(member, "POST", "/api/user/deletion", { forfeit })).status).toBe(200);
    await sql`update app.account_deletions set asked_at = asked_at - interval '7 days', due_at = due_at - interval '7 days' where uid = ${member.uid}`;
    await sql`call app.delete_due_accounts()`;
    const page = (await as(admin, "GET", `/adminapi/user/${member.uid}`)).body;
    expect(page).toMatchObject({ left_at: expect.any(String), progress: { eligible: false } });
    const { left_at } = page;
    expect(left_at).toBe((await sql`select app.utc(left_at) as at from app.users where uid = ${member.uid}`)[0]!.at);
    const countOf = async (query: string) =>
      (await as(admin, "GET", `/adminapi/user?search=${member.uid}${query}`)).body.count;
    expect([await countOf(""), await countOf("&has_left=true"), await countOf("&has_left=false")]).toEqual([1, 1, 0]);
    expect((await as(admin, "GET", `/adminapi/user/${below.uid}/upline`)).body.list).toMatchObject([
      { uid: member.uid, left_at },
    ]);
    expect((await as(admin, "GET", `/adminapi/user/${member.uid}/branch`)).body).toMatchObject({ root: { left_at } });
    expect((await as(admin, "GET", `/adminapi/search?text=${member.uid}`)).body.members).toMatchObject([
      { uid: member.uid, left_at },
    ]);

    const product = await addProduct("Queue goods below the leaver", "100.00", true);
    const order = (await as(below, "POST", "/api/order", { items: [{ product_id: product, quantity: 1 }] })).body;
    await sql`select from app.pay_order(${order.id}, 'test', ${`left-${order.id}`}, now())`;
    await sql`select from app.settle_order(${order.id}, now())`;
    const explained = (await as(admin, "GET", `/adminapi/order/${order.id}/settlement`)).body;
    expect(explained).toMatchObject({
      cycle: { reason: "referrer_left", asked: [{ uid: member.uid, eligible: false, has_left: true }] },
      levels: [{ uid: member.uid, points: 0, reason: "member_left" }],
      matches_the_books: true,
    });
    const { list } = (await as(admin, "GET", `/adminapi/event?uid=${member.uid}&type=member.left`)).body;
    expect(list).toMatchObject([{ type: "member.left", subject_id: member.uid }]);
  });

  it("needs a sign-in within the last quarter of an hour", async () => {
    const member = await signUp("Signed in long ago");
    const { forfeit } = await present(member);
    await sql`update auth.sessions set created_at = now() - interval '16 minutes' where user_id = ${accountIdOf(member)}`;
    expect(await present(member)).toMatchObject({ needs_sign_in: true });
    expectProblem(await as(member, "POST", "/api/user/deletion", { forfeit }), "recent_sign_in_needed");
    const token = await signInAgain(member);
    expect((await as({ token }, "POST", "/api/user/deletion", { forfeit })).status).toBe(200);
  });
});
