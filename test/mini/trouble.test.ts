import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addProduct, signUp } from "../api/client.ts";
import type { Phone } from "../support/mini_program/phone.ts";
import { signInOn, WechatStore } from "../support/mini_program/wechat_store.ts";

const store = new WechatStore();
/** A product of this file. Other files add and sell out products of their own at the same time. */
let tea: number;
let phone: Phone;
let openid: string;

beforeAll(async () => {
  tea = await addProduct("Tea of the phones", "19.90", false);
  await store.start();
});
afterAll(() => store.stop());
beforeEach(() => {
  ({ phone, openid } = store.newPhone());
});

/** The account of WeChat that this phone has, in the store. */
const member = async () =>
  (
    await store.sql`select u.uid::integer, u.spread_uid::integer, (select count(*)::integer from app.orders as o where o.uid = u.uid) as orders
      from app.wechat_accounts join app.users as u using (auth_id) where openid = ${openid}`
  )[0]!;

/** Signs in, and opens the checkout of one product with an address. */
async function openCheckout(): Promise<void> {
  await signInOn(phone);
  phone.address = {
    userName: "林",
    telNumber: "13800000000",
    provinceName: "广东省",
    cityName: "深圳市",
    countyName: "",
    detailInfo: "科技路 1 号",
  };
  await phone.open(`/pages/checkout/checkout?product=${tea}`);
  await phone.tap("添加收货地址");
  await phone.tap("使用微信收货地址");
}

describe("without a network", () => {
  it("a page says so, and shows its content after a retry", async () => {
    phone.isOffline = true;
    await phone.launch();
    expect(phone.screen).toContain("暂时无法连接商城");
    await phone.tap("重试");
    expect(phone.screen).toContain("暂时无法连接商城");
    phone.isOffline = false;
    await phone.tap("重试");
    expect(phone.screen).not.toContain("暂时无法连接商城");
    await phone.type("搜索商品", "Tea of the phones");
    expect(phone.screen).toContain("¥19.90");
  });

  it("a page keeps what it has shown", async () => {
    await phone.launch();
    await phone.open(`/pages/product/product?id=${tea}`);
    phone.isOffline = true;
    await phone.pullDown();
    expect(phone.screen).toContain("暂时无法连接商城");
    expect(phone.screen).toContain("Tea of the phones");
  });
});

it("a list grows at its end, also after the connection was lost, and keeps its place", async () => {
  await store.sql`insert into app.products (title, price) select 'Long list ' || n, n from generate_series(1, 45) as n`;
  const shown = () => phone.screen.match(/Long list \d+/g)!.length;
  await phone.launch();
  await phone.type("搜索商品", "Long list");
  expect(shown()).toBe(20);
  phone.isOffline = true;
  await phone.reachBottom();
  expect(shown()).toBe(20);
  phone.isOffline = false;
  await phone.tap("重试");
  expect(shown()).toBe(40);
  await phone.open(`/pages/product/product?id=${tea}`);
  await phone.back();
  await phone.reachBottom();
  expect(shown()).toBe(45);
  expect(phone.screen).toContain("没有更多了");
});

describe("an order", () => {
  // Guarantee money/request-repeated
  it("is placed once, although its response was lost and the member tapped again", async () => {
    await openCheckout();
    // The address can be chosen again.
    await phone.tap("林 13800000000");
    await phone.tap("林 13800000000");
    phone.loses = ({ url, method }) => method === "POST" && url.endsWith("/api/order");
    await phone.tap("提交订单");
    expect(phone.screen).toContain("暂时无法连接商城");
    expect(phone.route).toBe("pages/checkout/checkout");
    await phone.tap("重试");
    phone.loses = () => false;
    await phone.tap("提交订单");
    expect(phone.route).toBe("pages/order/order");
    expect((await member()).orders).toBe(1);
  });

  it("is placed once by two taps at the same time", async () => {
    await openCheckout();
    const first = phone.tap("提交订单");
    await expect(phone.tap("提交订单")).rejects.toThrow("disabled");
    await first;
    expect((await member()).orders).toBe(1);
  });

  it("stays to be paid if the payer closes WeChat Pay, is paid when WeChat tells the store, and another one is cancelled", async () => {
    await openCheckout();
    await phone.tap("提交订单");
    expect(phone.screen).toContain("待付款");
    expect(phone.screen).toContain("尚未收到支付结果");
    const no = [...store.pay.transactions.keys()].at(-1)!;
    store.pay.pay(no);
    await fetch(`${store.api.base}/api/pay/notify/wechat`, { method: "POST", ...store.pay.paymentNotification(no) });
    await phone.passTime();
    expect(phone.screen).toContain("待发货");

    await phone.open(`/pages/checkout/checkout?product=${tea}`);
    await phone.tap("提交订单");
    await phone.tap("取消订单");
    expect(phone.screen).toContain("已取消");
    await phone.tap("再次购买");
    expect(phone.route).toBe("pages/checkout/checkout");
    // Nothing is waited for any more.
    const before = phone.fake.requests.length;
    await phone.passTime();
    expect(phone.fake.requests.length).toBe(before);
  });

  it("shows the error of the store, and the price that holds now", async () => {
    await openCheckout();
    const sold = await addProduct("Cup that gets dearer", "5.00", false);
    await phone.open(`/pages/checkout/checkout?product=${sold}`);
    await store.sql`update app.products set price = 6 where id = ${sold}`;
    await phone.tap("提交订单");
    expect(phone.screen).toMatch(/\p{Script=Han}/u);
    expect(phone.screen).toContain("¥6.00");
    expect((await member()).orders).toBe(0);
  });
});

it("an order says what a refund has left to ship, and never that it is being prepared once it was refunded", async () => {
  await signInOn(phone);
  const { uid } = await member();
  const items = store.sql.json([{ product_id: tea, quantity: 3 }]);
  const [order] = await store.sql`select (app.create_order(${uid}, ${items}, null)).id`;
  await store.sql`select app.pay_order(${order!.id}, 'test', ${`refunded-${order!.id}`}, null)`;
  const [line] = await store.sql`select id::integer from app.order_lines where order_id = ${order!.id}`;
  const refund = (quantity: number) =>
    store.sql`select app.refund_order(${order!.id}, ${store.sql.json([{ line_id: line!.id, quantity }])}, null, null)`;
  await refund(1);
  await phone.openTab("/pages/orders/orders");
  await phone.tap("待发货");
  expect(phone.screen).toContain("还有 2 件待发货。");
  await phone.open(`/pages/order/order?id=${order!.id}`);
  expect(phone.screen).toContain("商城正在准备你的订单。 还有 2 件待发货。");
  await refund(2);
  await phone.open(`/pages/order/order?id=${order!.id}`);
  expect(phone.screen).toContain("已退款");
  expect(phone.screen).not.toMatch(/待发货|正在准备/);
  expect(phone.screen).toContain("再次购买");
  await phone.openTab("/pages/orders/orders");
  await phone.tap("已退款");
  expect(phone.screen).toContain("Tea of the phones");
});

it("an order says which goods a refund and a request are about, and why the store has refused one", async () => {
  await signInOn(phone);
  const { uid } = await member();
  const items = store.sql.json([{ product_id: tea, quantity: 3 }]);
  const [order] = await store.sql`select (app.create_order(${uid}, ${items}, null)).id`;
  const { id } = order!;
  await store.sql`select app.pay_order(${id}, 'test', ${`asked-${id}`}, null)`;
  const [line] = await store.sql`select id::integer from app.order_lines where order_id = ${id}`;
  const units = (quantity: number) => store.sql.json([{ line_id: line!.id, quantity }]);
  await store.sql`select app.request_refund(${id}, ${units(2)}, '', null)`;
  await phone.open(`/pages/order/order?id=${id}`);
  expect(phone.screen).toContain("Tea of the phones × 2");
  await store.sql`select app.refuse_refund(${id}, null, '已经拆封')`;
  await store.sql`select app.request_refund(${id}, ${units(2)}, '', null)`;
  await store.sql`select app.refund_order(${id}, ${units(1)}, null, null)`;
  await phone.open(`/pages/order/order?id=${id}`);
  expect(phone.screen).toContain("未通过原因：已经拆封");
  expect(phone.screen).toContain("Tea of the phones · 申请 2 件，已退 1 件");
});

describe("a session", () => {
  it("that the store does not take any more is renewed once, without a question", async () => {
    await signInOn(phone);
    const signIns = () => phone.fake.requests.filter(({ url }) => url.endsWith("/api/auth/wechat")).length;
    expect(signIns()).toBe(1);
    phone.endSession();
    // Several requests at the same time.
    await phone.openTab("/pages/team/team");
    await phone.openTab("/pages/me/me");
    expect(phone.screen).toContain("会员编号");
    expect(signIns()).toBe(2);
  });

  it("begins below the member of a poster, who is named before", async () => {
    const referrer = await signUp("Sharer of the mini program");
    await phone.launch({ scene: encodeURIComponent(`spread=${referrer.uid}`) });
    await phone.openTab("/pages/me/me");
    await phone.tap("微信登录");
    expect(phone.screen).toContain(`会员 ${referrer.uid} 邀请你加入。`);
    expect(await store.sql`select from app.wechat_accounts where openid = ${openid}`).toHaveLength(0);
    await phone.tap(phone.screen.includes("已阅读，继续") ? "已阅读，继续" : "微信登录");
    expect((await member()).spread_uid).toBe(referrer.uid);
    expect((await phone.share().catch(() => ({ path: "" }))).path).toBe("");
    await phone.openTab("/pages/shop/shop");
    expect((await phone.share()).path).toBe(`/pages/shop/shop?spread=${(await member()).uid}`);
  });

  it("of a visitor shares pages without a member", async () => {
    await phone.launch();
    await phone.open(`/pages/product/product?id=${tea}`);
    expect(await phone.share()).toMatchObject({ path: `/pages/product/product?id=${tea}`, title: "Tea of the phones" });
  });

  it("that WeChat refuses is told", async () => {
    await phone.launch();
    phone.fake.login = () => "no-code";
    await phone.openTab("/pages/me/me");
    await phone.tap("微信登录");
    await phone.tap(phone.screen.includes("已阅读，继续") ? "已阅读，继续" : "微信登录");
    expect(phone.route).toBe("pages/sign_in/sign_in");
    expect(phone.screen).toContain("重试");
  });
});

it("lists say to a new member that there is nothing yet", async () => {
  await signInOn(phone);
  for (const [page, text] of [
    ["/pages/addresses/addresses", "还没有收货地址。"],
    ["/pages/bill/bill", "还没有记录。"],
    ["/pages/commission/commission", "还没有提现记录。"],
    ["/pages/notices/notices", "还没有通知。"],
    ["/pages/cart/cart", "购物车还是空的。"],
  ] as const) {
    await phone.open(page);
    expect(phone.screen, page).toContain(text);
    await phone.back();
  }
});

it("an address is added by the form, changed and deleted", async () => {
  await signInOn(phone);
  await phone.open("/pages/addresses/addresses");
  await phone.tap("新增地址");
  await phone.tap("保存");
  // Without a name.
  expect(phone.route).toBe("pages/address/address");
  expect(phone.screen).toContain("重试");
  await phone.type("收货人", "陈静");
  await phone.type("手机号", "13900000000");
  await phone.change("省市区", ["浙江省", "杭州市", "西湖区"]);
  await phone.type("街道与门牌号", "文一路 2 号");
  await phone.tap("保存");
  expect(phone.screen).toContain("浙江省 杭州市 西湖区 文一路 2 号");
  await phone.tap("修改地址");
  await phone.type("收货人", "陈静静");
  await phone.tap("保存");
  expect(phone.screen).toContain("陈静静 13900000000");
  await phone.tap("修改地址");
  await phone.tap("删除");
  expect(phone.screen).toContain("还没有收货地址。");
});

it("a phone in English shows the texts, amounts and errors in English", async () => {
  phone.language = "en";
  await phone.launch();
  await phone.type("What are you looking for?", "Tea of the phones");
  await phone.tap("Tea of the phones");
  expect(phone.title).toBe("Product");
  expect(phone.screen).toContain("¥19.90");
  expect(phone.screen).not.toMatch(/\p{Script=Han}/u);
  await phone.open("/pages/product/product?id=900000000000001");
  expect(phone.screen).toContain("Try again");
  expect(phone.screen).not.toMatch(/\p{Script=Han}/u);
});
