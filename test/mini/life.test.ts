import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { PNG } from "pngjs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Account, accountIdOf, call, copyAccounts, signUp, signUpAdmin } from "../api/client.ts";
import { cloneDatabase, type ClonedDatabase, connect, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { type BuiltProgram, buildMiniProgram } from "../support/mini_program/build.ts";
import { Phone } from "../support/mini_program/phone.ts";
import { MINI } from "../support/wechat/apps.ts";
import { FakeWechat } from "../support/wechat/fake_wechat.ts";
import { FakeWechatPay } from "../support/wechat/fake_wechat_pay.ts";

// The life of a member in the mini program, step by step. The database is a clone, so that settings, templates and the
// outbox are those of this file.
const SECRET = "the secret of the worker in this test";
const SHIPPED = "template-of-shipments";
const PAID_OUT = "template-of-payouts";
const openid = `o${randomUUID()}`;
const wechat = new FakeWechat();
const wechatPay = new FakeWechatPay();
let clone: ClonedDatabase;
let sql: postgres.Sql;
let served: EdgeFunction[];
let api: EdgeFunction;
let adminapi: EdgeFunction;
let worker: EdgeFunction;
let admin: Account;
let friend: Account;
let built: BuiltProgram;
let phone: Phone;

beforeAll(async () => {
  const [wechatUrl] = await Promise.all([wechat.start(), wechatPay.start()]);
  const accounts = await Promise.all([signUpAdmin("Runs the store"), signUp("小林"), signUp("朋友")]);
  const member = accounts[1];
  [admin, , friend] = accounts;
  clone = await cloneDatabase();
  sql = connect(clone.url);
  const settings = {
    ...wechatPay.settings(),
    STORE_WECHAT_API_URL: wechatUrl,
    STORE_WECHAT_MINI_APPID: MINI.appid,
    STORE_WECHAT_MINI_SECRET: MINI.secret,
    STORE_WORKER_SECRET: SECRET,
  };
  const poster = await serveEdgeFunction("poster", clone.url, {});
  api = await serveEdgeFunction("api", clone.url, { ...settings, STORE_FUNCTIONS_URL: poster.base });
  worker = await serveEdgeFunction("worker", clone.url, { ...settings, STORE_FUNCTIONS_URL: api.base });
  adminapi = await serveEdgeFunction("adminapi", clone.url, {});
  served = [poster, api, worker, adminapi];
  await copyAccounts(sql, ...accounts);
  await sql`select app.add_administrator(${admin.email})`;
  await sql`insert into app.wechat_accounts (appid, openid, auth_id) values (${MINI.appid}, ${openid}, ${accountIdOf(member)})`;
  await sql`update app.settings set withdrawal_methods = '{bank, wechat}'`;
  await sql`insert into app.message_templates (type, template_id, data) values
    ('order.shipped', ${SHIPPED}, '{"thing1": "text"}'), ('withdrawal.paid', ${PAID_OUT}, '{"thing1": "text"}')`;
  await sql`delete from app.products`;
  await sql`insert into app.product_categories (title, rank) values ('茶叶', 1)`;
  await sql`insert into app.products (title, price, is_queue_goods, category_id) select '龙井绿茶', 99.90, true, id from app.product_categories where title = '茶叶'`;
  await sql`insert into app.products (title, price) values ('白瓷茶杯', 1200)`;
  built = await buildMiniProgram(api.base);
  phone = new Phone(built.folder);
  phone.fake.login = () => wechat.codeOf(openid);
  phone.fake.requestPayment = () => Promise.resolve(wechatPay.pay([...wechatPay.transactions.keys()].at(-1)!));
});
afterAll(async () => {
  await Promise.all([...(served ?? []).map((each) => each.stop()), wechat.stop(), wechatPay.stop()]);
  built?.remove();
  await sql?.end();
  await clone?.drop();
});

const asAdmin = async (method: string, path: string, json?: unknown) => {
  const { status, body } = await call(method, path, { base: adminapi.base, token: admin.token, json });
  expect(status, JSON.stringify(body)).toBeLessThan(300);
};
const onlyId = async (table: string) => Number((await sql.unsafe(`select max(id) as id from app.${table}`))[0]!.id);

/** Runs the worker with all waiting calls due. */
async function work(): Promise<void> {
  await sql`update app.outbox set run_after = clock_timestamp() where state = 'waiting'`;
  await call("POST", "/worker/run", { base: worker.base, init: { headers: { "x-worker-secret": SECRET } } });
}

it("a visitor looks through categories, searches, and fills the cart", async () => {
  await phone.launch();
  expect(phone.screen).toContain("龙井绿茶");
  expect(phone.screen).toContain("¥1,200.00");
  await phone.tap("茶叶");
  expect(phone.screen).not.toContain("白瓷茶杯");
  await phone.tap("全部");
  await phone.type("搜索商品", "茶杯");
  expect(phone.screen).not.toContain("龙井绿茶");
  await phone.type("搜索商品", "咖啡");
  expect(phone.screen).toContain("没有名称包含“咖啡”的商品。");
  await phone.type("搜索商品", "");
  await phone.tap("龙井绿茶");
  expect(phone.route).toBe("pages/product/product");
  await phone.tap("加入购物车");
  await phone.back();
  await phone.tap("白瓷茶杯");
  await phone.tap("加入购物车");
  expect(phone.toasts.at(-1)).toBe("已加入购物车。");
  await phone.back();
  await phone.tap("购物车");
  await phone.tap("加一件", "龙井绿茶");
  expect(phone.screen).toContain("¥1,399.80");
  await phone.tap("去结算（2）");
});

it("becomes a member by WeChat, takes the address from there, and pays for both products", async () => {
  expect(phone.screen).toContain("请先登录");
  await phone.tap("微信登录");
  expect(phone.route).toBe("pages/sign_in/sign_in");
  await phone.tap(phone.screen.includes("已阅读，继续") ? "已阅读，继续" : "微信登录");
  expect(phone.route).toBe("pages/checkout/checkout");
  await phone.tap("提交订单");
  expect(phone.screen).toContain("请选择收货地址");

  phone.address = {
    userName: "林",
    telNumber: "13800000000",
    provinceName: "广东省",
    cityName: "深圳市",
    countyName: "南山区",
    detailInfo: "科技路 1 号",
  };
  await phone.tap("添加收货地址");
  await phone.tap("使用微信收货地址");
  expect(phone.route).toBe("pages/checkout/checkout");
  expect(phone.screen).toContain("广东省 深圳市 南山区 科技路 1 号");

  await phone.tap("提交订单");
  expect(phone.route).toBe("pages/order/order");
  expect(phone.screen).toContain("待发货");
  expect(await sql`select pay_price, (select count(*)::integer from app.order_lines) as lines from app.orders`).toEqual(
    [{ pay_price: "1399.80", lines: 2 }],
  );
  await phone.back();
  expect(phone.screen).toContain("购物车还是空的。");
});

it("agrees to one message after the payment, and is asked again only when it is used up", async () => {
  await phone.openTab("/pages/orders/orders");
  await phone.tap("龙井绿茶");
  await phone.tap("接收通知");
  expect(phone.asked).toEqual([[SHIPPED]]);
  expect(phone.screen).not.toContain("接收通知");
  expect(await sql`select template_id, consents from app.message_consents`).toEqual([
    { template_id: SHIPPED, consents: 1 },
  ]);
  await phone.pullDown();
  expect(phone.screen).not.toContain("接收通知");
  await sql`update app.message_consents set consents = 0`;
  await phone.pullDown();
  phone.consent = "reject";
  await phone.tap("接收通知");
  expect(await sql`select consents from app.message_consents`).toEqual([{ consents: 0 }]);
  expect(phone.screen).not.toContain("接收通知");
  phone.consent = "accept";
});

it("follows the parcel, confirms the receipt, requests a refund, and sends the goods back", async () => {
  const order = await onlyId("orders");
  await asAdmin("PUT", `/adminapi/order/${order}/deliver`, { carrier: "顺丰速运", tracking_no: "SF1234567890" });
  await phone.pullDown();
  expect(phone.screen).toContain("SF1234567890");
  phone.confirms = false;
  await phone.tap("确认收货");
  expect(phone.screen).toContain("待收货");
  phone.confirms = true;
  await phone.tap("确认收货");
  expect(phone.screen).toContain("已收货");

  await phone.tap("申请退款");
  await phone.tap("减一件", "白瓷茶杯");
  await phone.tap("商品损坏");
  await phone.tap("提交申请");
  expect(phone.route).toBe("pages/order/order");
  expect(phone.screen).toContain("申请中");
  expect(phone.screen).toContain("¥199.80");
  expect(await sql`select reason, state from app.refunds`).toEqual([{ reason: "商品损坏", state: "requested" }]);

  await asAdmin("PUT", "/adminapi/system/settings", {
    return_address: { name: "退货处", phone: "0755 2660 0000", region: ["广东省", "深圳市"], street: "四号门" },
  });
  await asAdmin("PUT", `/adminapi/order/${order}/refund/return`);
  await phone.pullDown();
  expect(phone.screen).toContain("请寄回商品");
  await phone.tap("填写退货快递");
  expect(phone.screen).toContain("广东省 深圳市 四号门");
  await phone.type("快递公司", "顺丰速运");
  await phone.type("快递单号", "SF42");
  await phone.tap("保存");
  expect(phone.screen).toContain("退货途中");
});

it("finds the orders that wait by what they wait for", async () => {
  await phone.openTab("/pages/me/me");
  await phone.tap("售后");
  expect(phone.route).toBe("pages/orders/orders");
  expect(phone.screen).toContain("龙井绿茶");
  await phone.openTab("/pages/me/me");
  await phone.tap("待付款");
  expect(phone.screen).toContain("没有该状态的订单。");
});

it("sees the team grow, and reads the notice of it", async () => {
  await phone.openTab("/pages/me/me");
  const [, uid] = /会员编号 (\d+)/.exec(phone.screen)!;
  const join = await call("PUT", "/api/user/spread", {
    base: api.base,
    token: friend.token,
    json: { spread_uid: Number(uid) },
  });
  expect(join.status).toBe(200);
  await phone.openTab("/pages/team/team");
  expect(phone.screen).toContain(`会员编号 ${join.body.uid}`);
  await phone.tap("团队订单");
  expect(phone.screen).toContain("团队还没有已付款的订单。");

  await phone.openTab("/pages/me/me");
  const unread = Number(phone.badge);
  expect(unread).toBeGreaterThan(0);
  await phone.tap("通知");
  expect(phone.screen).toContain("成为你的直推会员");
  await phone.tap("新增直推会员");
  expect(phone.route).toBe("pages/team/team");
  await phone.openTab("/pages/me/me");
  expect(Number(phone.badge || 0)).toBe(unread - 1);
  await phone.tap("通知");
  if (unread > 1) await phone.tap("全部标为已读");
  expect(phone.screen).not.toContain("未读");
});

it("withdraws commission: to a bank and cancelled, then to WeChat and confirmed there", async () => {
  await sql`
    with a as (
      insert into app.adjustments (uid, brokerage_delta, reason, state, add_time, decided_at)
      select uid, 500, 'For a test', 'booked', now(), now() from app.wechat_accounts join app.users using (auth_id) where openid = ${openid} returning *
    )
    select app.book_entries(array[row(a.uid, 'adjustment', 'adjustment', a.brokerage_delta, 0, 0, null, null, null, null, null, null, null, a.id)::app.bill_entry], '{}', '{}', now()) from a`;
  await phone.openTab("/pages/me/me");
  await phone.tap("账单");
  expect(phone.screen).toContain("调账 +¥500.00");
  await phone.back();
  await phone.tap("我的佣金");
  expect(phone.screen).toContain("还没有提现记录。");
  await phone.tap("提现");
  await phone.tap("银行账户");
  await phone.tap("添加账户");
  await phone.type("收款人姓名", "林小林");
  await phone.type("开户银行", "工商银行");
  await phone.type("银行卡号", "6222021234567894");
  await phone.tap("保存");
  expect(phone.screen).toContain("工商银行");
  await phone.type("金额", "100");
  await phone.tap("提交申请");
  expect(phone.route).toBe("pages/withdrawal/withdrawal");
  expect(phone.screen).toContain("待审核");
  await phone.tap("接收通知");
  expect(phone.asked.at(-1)).toEqual([PAID_OUT]);
  await phone.tap("取消提现");
  expect(phone.screen).toContain("金额已退回余额。");

  await phone.back();
  await phone.tap("提现");
  await phone.tap("微信");
  await phone.type("金额", "50");
  await phone.tap("提交申请");
  const withdrawal = await onlyId("withdrawals");
  await asAdmin("PUT", `/adminapi/withdrawal/${withdrawal}/approve`);
  await work();
  await phone.pullDown();
  await phone.tap("在微信中确认收款");
  expect(phone.transfers).toEqual([
    { mchId: expect.any(String), appId: MINI.appid, package: expect.stringContaining("package of") },
  ]);
});

it("saves the poster to the album, also after the permission was refused once", async () => {
  await phone.openTab("/pages/team/team");
  await phone.tap("分享海报");
  phone.allowsAlbum = false;
  await phone.tap("保存海报");
  expect(phone.screen).toContain("无法保存海报");
  expect(phone.screen).toContain("打开设置");
  phone.allowsAlbum = true;
  await phone.tap("重试");
  expect(phone.toasts.at(-1)).toBe("海报已保存到相册。");
  expect(PNG.sync.read(phone.album[0]!).width).toBeGreaterThan(300);
  expect((await phone.share()).path).toMatch(/^\/pages\/shop\/shop\?spread=[1-9]\d*$/);
});

it("stays signed in after a restart, and is a visitor after signing out", async () => {
  await phone.launch();
  await phone.openTab("/pages/orders/orders");
  expect(phone.screen).toContain("龙井绿茶");
  await phone.openTab("/pages/me/me");
  await phone.tap("退出登录");
  expect(phone.route).toBe("pages/shop/shop");
  await phone.openTab("/pages/orders/orders");
  expect(phone.screen).toContain("请先登录");
  expect(phone.screen).not.toContain("龙井绿茶");
});
