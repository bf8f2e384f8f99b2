import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addProduct, signUp, signUpAdmin } from "../api/client.ts";
import { buyAndSettle } from "../api/scenario.ts";
import type { Phone } from "../support/mini_program/phone.ts";
import { signInOn, WechatStore } from "../support/mini_program/wechat_store.ts";

const store = new WechatStore();
/** The phone of a member whose team has bought, and that of a new one. */
let phone: Phone;
let newcomer: Phone;
let admin: Account;
let flagship: number;
let uid: number;

beforeAll(async () => {
  await store.start();
  [admin, flagship] = await Promise.all([
    signUpAdmin("Desk of earnings on phones"),
    addProduct("Flagship of the phones", "3600.00", true),
  ]);
  const { phone: known, openid } = store.newPhone();
  phone = known;
  await signInOn(phone);
  uid = await store.uidOf(openid);
  const token = phone.fake.requests
    .findLast(({ header }) => header?.authorization)!
    .header!.authorization!.slice("Bearer ".length);
  await buyAndSettle({ token, uid, email: "", password: "" }, admin, flagship);
  const child = await signUp("Nearly a maker on a phone", uid);
  for (const name of ["First", "Second"])
    await buyAndSettle(await signUp(`${name} buyer on a phone`, child.uid), admin, flagship);
  await buyAndSettle(child, admin, flagship);
  newcomer = store.newPhone().phone;
  await signInOn(newcomer);
});
afterAll(() => store.stop());
beforeEach(() => phone.openTab("/pages/me/me"));

/** What the store says of the member. */
const known = async () =>
  (
    await store.sql`
      select u.frozen_points::float as frozen_points, u.brokerage_price, sum(b.brokerage_delta) as booked
      from app.user_balances as u join app.user_bill as b using (uid) where uid = ${uid} group by u.uid`
  )[0]!;

const pages = ["points", "prospects", "month", "statement", "near", "bill"].map((name) => `/pages/${name}/${name}`);

it.each(pages)("%s asks a visitor to sign in, and says that there is no connection", async (page) => {
  const { phone: visitor } = store.newPhone();
  await visitor.launch();
  await visitor.open(page);
  expect(visitor.screen).toContain("请先登录");
  phone.isOffline = true;
  await phone.open(page);
  expect(phone.screen).toContain("暂时无法连接商城");
  phone.isOffline = false;
  await phone.tap("重试");
  expect(phone.screen).not.toContain("暂时无法连接商城");
});

describe("points", () => {
  it("of a new member are none", async () => {
    await newcomer.openTab("/pages/me/me");
    await newcomer.tap("积分与预测");
    expect(newcomer.screen).toContain("你没有冻结积分");
    expect(newcomer.screen).not.toContain("释放一半约需");
    await newcomer.tap("历史释放记录");
    expect(newcomer.screen).toContain("还没有记录。");
  });

  it("have a forecast, of which no part is more than all", async () => {
    await phone.tap("积分与预测");
    const { frozen_points } = await known();
    expect(frozen_points).toBeGreaterThan(0);
    expect(phone.screen).toContain("30 天后");
    expect(phone.screen).toContain("释放一半约需");
    const parts = [...phone.screen.matchAll(/后 \+([\d,.]+)/g)].map(([, points]) =>
      Number(points!.replaceAll(",", "")),
    );
    expect(parts.length).toBeGreaterThan(2);
    expect(parts).toEqual(parts.toSorted((a, b) => a - b));
    expect(parts.at(-1)).toBeLessThanOrEqual(frozen_points);
  });

  it("are told in English in other words", async () => {
    phone.language = "en";
    await phone.launch();
    await phone.open("/pages/points/points");
    expect(phone.screen).toContain("After 30 days");
    expect(phone.screen).not.toMatch(/\p{Script=Han}/u);
    phone.language = "zh_CN";
    await phone.launch();
  });
});

describe("what the member could earn", () => {
  it("is nothing before the first order of their own", async () => {
    await newcomer.open("/pages/prospects/prospects");
    expect(newcomer.screen).toContain("你还不能获得佣金");
    await newcomer.tap("再有一单即可升级");
    expect(newcomer.screen).toContain("团队中暂无再有一单即可升级的会员。");
    await newcomer.back();
    await newcomer.tap("我的本月收益");
    expect(newcomer.screen).toContain("该月还没有订单带来收益。");
  });

  it("is an estimate for each product, with the next level and the release", async () => {
    await phone.tap("我的收益预估");
    expect(phone.screen).not.toContain("你还不能获得佣金");
    expect(phone.screen).toMatch(/当前比例（已计佣金上限） [\d.]+%/);
    expect(phone.screen).toMatch(/Flagship of the phones \+¥[\d,]+\.\d\d/);
    expect(phone.screen).toMatch(/升级为/);
    expect(phone.screen).toContain("30 天后");
    await phone.tap("Flagship of the phones");
    expect(phone.route).toBe("pages/product/product");
  });

  it("names the members who are one order away from a level", async () => {
    await phone.open("/pages/prospects/prospects");
    await phone.tap("再有一单即可升级");
    expect(phone.screen).toContain("Nearly a maker on a phone");
    expect(phone.screen).not.toContain("First buyer on a phone");
  });
});

it("a month is shown day by day, and its bars say how much", async () => {
  await phone.open("/pages/month/month");
  const { booked } = await known();
  expect(Number(booked)).toBeGreaterThan(0);
  const shown = phone.screen.replaceAll(",", "");
  expect(shown).toContain(`佣金 ¥${booked}`);
  const [, byDay = ""] = shown.split("每日明细");
  const sum = [...byDay.matchAll(/¥([\d.]+)/g)].reduce((all, [, amount]) => all + Number(amount), 0);
  expect(sum).toBeCloseTo(Number(booked), 2);
});

describe("the statement of a month", () => {
  it("of a new member has no rows", async () => {
    await newcomer.open("/pages/statement/statement");
    expect(newcomer.screen).toContain("本月没有记录。");
    expect(newcomer.screen).toContain("月末余额");
  });

  it("has balances, sums, the rows, and a file of them", async () => {
    await phone.tap("账单");
    await phone.tap("对账单");
    const { brokerage_price } = await known();
    expect(phone.screen.replaceAll(",", "")).toContain(`月末余额 佣金 ¥${brokerage_price}`);
    expect(phone.screen).toContain("月初余额 佣金 ¥0.00");
    await phone.tap("下载 CSV");
    await phone.tap("发送到聊天");
    const { fileName, content } = phone.sent.at(-1)!;
    expect(fileName).toMatch(/^statement_\d{4}-\d\d\.csv$/);
    expect(content.charCodeAt(0)).toBe(0xfeff);
    const [month] = /\d{4}-\d\d/.exec(fileName)!;
    await phone.tap(month);
    expect(phone.screen).not.toContain("发送到聊天");
    const rows = content.trim().split("\n").length - 1;
    await phone.tap("明细");
    expect(phone.route).toBe("pages/bill/bill");
    expect(phone.screen).toContain("没有更多了");
    expect(phone.screen.match(/\d{4}年\d+月\d+日 \d\d:\d\d/g)).toHaveLength(rows);
  });
});

it("the bill shows one type if the member wants it", async () => {
  await phone.open("/pages/bill/bill");
  expect(phone.screen).toMatch(/\+¥[\d,]+\.\d\d/);
  await phone.tap("释放");
  expect(phone.screen).not.toMatch(/\+¥/);
  await phone.tap("全部");
  expect(phone.screen).toMatch(/\+¥/);
});
