import { randomBytes, randomUUID } from "node:crypto";
import type postgres from "postgres";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { accountIdOf, copyAccounts, signUp } from "../api/client.ts";
import { cloneDatabase, type ClonedDatabase, connect, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { type BuiltProgram, buildMiniProgram } from "../support/mini_program/build.ts";
import { Phone } from "../support/mini_program/phone.ts";
import { signInOn } from "../support/mini_program/wechat_store.ts";
import { MINI } from "../support/wechat/apps.ts";
import { FakeWechat } from "../support/wechat/fake_wechat.ts";

// The real name that the store needs for a large withdrawal. The database is a clone, so that its settings are those of
// this file.
const CARD = "11010519491231002X";
const openid = `o${randomUUID()}`;
const wechat = new FakeWechat();
let clone: ClonedDatabase;
let sql: postgres.Sql;
let api: EdgeFunction;
let built: BuiltProgram;
let phone: Phone;
let uid: number;

beforeAll(async () => {
  const [wechatUrl, member] = await Promise.all([wechat.start(), signUp("陈静")]);
  clone = await cloneDatabase();
  sql = connect(clone.url);
  api = await serveEdgeFunction("api", clone.url, {
    STORE_WECHAT_API_URL: wechatUrl,
    STORE_WECHAT_MINI_APPID: MINI.appid,
    STORE_WECHAT_MINI_SECRET: MINI.secret,
    STORE_REAL_NAME_KEY: randomBytes(32).toString("hex"),
    STORE_REAL_NAME_INDEX_KEY: randomBytes(32).toString("hex"),
  });
  await copyAccounts(sql, member);
  await sql`insert into app.wechat_accounts (appid, openid, auth_id) values (${MINI.appid}, ${openid}, ${accountIdOf(member)})`;
  const [row] = await sql`select uid::integer from app.users where auth_id = ${accountIdOf(member)}`;
  uid = row!.uid as number;
  await sql`insert into app.payout_accounts (uid, method, holder, account_no, add_time) values (${uid}, 'alipay', '陈静', 'chen@example.com', now())`;
  await sql`
    with a as (
      insert into app.adjustments (uid, brokerage_delta, reason, state, add_time, decided_at) values (${uid}, 3000, 'For a test', 'booked', now(), now()) returning *
    )
    select app.book_adjustment(a) from a`;
  built = await buildMiniProgram(api.base);
  phone = new Phone(built.folder);
  phone.fake.login = () => wechat.codeOf(openid);
  await signInOn(phone);
});
afterAll(async () => {
  await Promise.all([api?.stop(), wechat.stop()]);
  built?.remove();
  await sql?.end();
  await clone?.drop();
});
beforeEach(async () => {
  await sql`delete from app.real_names`;
  await sql`select app.set_settings('{"real_name_from": 500, "real_name_check": "administrator"}', now())`;
  phone.language = "zh_CN";
  await phone.launch();
});

/** What the database has of it. */
const given = async () => (await sql`select state, document, name_mask, number_mask from app.real_names`)[0];
const decide = (state: "checked" | "refused", reason: string | null) =>
  sql`select app.decide_real_name(r, ${state}, ${reason}, null, now()) from app.real_names as r`;

it("is given from the withdrawal, which keeps what was typed, and is asked for until it is checked", async () => {
  await phone.open("/pages/withdraw/withdraw");
  await phone.type("金额", "499.99");
  expect(phone.screen).not.toContain("实名");
  await phone.type("金额", "500");
  expect(phone.screen).toContain("提现金额达到 ¥500.00 时，须先完成实名。");
  await expect(phone.tap("提交申请")).rejects.toThrow("disabled");

  await phone.tap("提交实名信息");
  expect(phone.title).toBe("实名信息");
  expect(phone.screen).toContain("每次查看都有记录");
  await phone.type("姓名", " 陈静 ");
  await phone.type("证件号码", CARD);
  await phone.tap("提交");
  expect(phone.toasts.at(-1)).toBe("实名信息已提交。");
  expect(phone.route).toBe("pages/withdraw/withdraw");
  expect(await given()).toEqual({
    state: "given",
    document: "id_card",
    name_mask: "陈**",
    number_mask: "1****************X",
  });
  expect(phone.screen).toContain("目前正在核验");
  expect(phone.screen).not.toContain("提交实名信息");
  await expect(phone.tap("提交申请")).rejects.toThrow("disabled");

  await decide("checked", null);
  await phone.open("/pages/real_name/real_name");
  expect(phone.screen).toContain("陈**，");
  expect(phone.screen).toContain("实名信息已核验。");
  expect(phone.screen).not.toContain("证件号码");
  await phone.back();
  expect(phone.screen).not.toContain("实名");
  await phone.tap("提交申请");
  expect(phone.route).toBe("pages/withdrawal/withdrawal");
  expect(phone.screen).toContain("¥500.00");
  await phone.tap("取消提现");
});

it("that was refused is given again, with the reason and what is wrong beside it", async () => {
  await phone.open("/pages/real_name/real_name");
  expect(phone.screen).not.toContain("**");
  await phone.tap("护照");
  await phone.type("姓名", "Chen Jing");
  await phone.type("证件号码", "E12");
  await phone.tap("提交");
  expect(phone.screen).toContain("护照号码");
  expect(await given()).toBeUndefined();
  await phone.type("证件号码", "E1234567");
  await phone.tap("提交");
  expect(await given()).toMatchObject({ state: "given", document: "passport" });

  await decide("refused", "照片看不清");
  await phone.open("/pages/withdraw/withdraw");
  await phone.type("金额", "600");
  expect(phone.screen).toContain("上次提交的信息未通过核验");
  await phone.tap("提交实名信息");
  expect(phone.screen).toContain("照片看不清");
  await phone.type("姓名", "陈静");
  await phone.type("证件号码", CARD);
  await phone.tap("提交");
  expect(await given()).toMatchObject({ state: "given", document: "id_card" });
});

it("is asked for in English, and without a connection what was typed is kept", async () => {
  phone.language = "en";
  await phone.launch();
  phone.isOffline = true;
  await phone.open("/pages/real_name/real_name");
  expect(phone.screen).toContain("The store is not responding");
  phone.isOffline = false;
  await phone.tap("Try again");
  expect(phone.screen).not.toMatch(/\p{Script=Han}/u);
  await phone.type("Full name", "Chen Jing");
  await phone.type("Number of the document", CARD);
  phone.isOffline = true;
  await phone.tap("Save");
  expect(await given()).toBeUndefined();
  phone.isOffline = false;
  await phone.tap("Try again");
  expect(phone.toasts.at(-1)).toBe("Your real name was saved.");
  expect(await given()).toMatchObject({ state: "given" });
});

it("asks a visitor to sign in", async () => {
  const visitor = new Phone(built.folder);
  await visitor.launch();
  await visitor.open("/pages/real_name/real_name");
  expect(visitor.screen).toContain("请先登录");
  expect(visitor.screen).not.toContain("证件号码");
});
