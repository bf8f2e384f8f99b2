import { randomUUID } from "node:crypto";
import type { Locator } from "playwright-core";
import { PNG } from "pngjs";
import { describe, expect, it } from "vitest";
import { settleH5 } from "../../scripts/pictures/h5_visit.ts";
import { textOf } from "../api/qr_code.ts";
import { plainPng } from "../support/wechat/fake_wechat.ts";
import { barriers } from "./browser.ts";
import { demoH5, openUnpaid } from "./demo_h5.ts";
import { password } from "./demo_site.ts";

const demo = demoH5();

describe("the H5 app", () => {
  it("takes a visitor from a member's poster to a paid order, and the member to commission and points, without an administrator", async () => {
    // Chen Jing signs in as people do, reads the article, and shares the poster.
    const sharer = await demo.phone({ locale: "en-GB" });
    await sharer.open("/poster");
    await sharer.page.getByRole("button", { name: "I have read this. Continue" }).click();
    await sharer.page.getByLabel("Email").fill("chen@example.com");
    await sharer.page.getByLabel("Password", { exact: true }).fill(password);
    await sharer.page.getByRole("button", { name: "Sign in" }).click();
    const poster = sharer.page.getByRole("img", { name: "Your poster" });
    await poster.waitFor();
    await settleH5(sharer.page);
    const picture = await fetch((await poster.getAttribute("src"))!);
    const link = textOf(PNG.sync.read(Buffer.from(await picture.arrayBuffer())))!;
    const [{ code }] = (await demo.sql`select share_code as code from app.users where uid = 10007`) as unknown as [
      { code: string },
    ];
    expect(link).toBe(`${demo.info.supabase_url}/h5?spread=10007`);
    // The link that the app offers to copy also says who invites.
    const named = `${link}&share=${code}`;
    expect(await sharer.page.getByText(named).count()).toBe(1);

    // A visitor scans the code, reads the article and signs up.
    const { page, complaints } = await demo.phone({ locale: "zh-CN" });
    // The link of a product that she shares has a page with a preview, which leads on to the app.
    const [flagship] = await demo.sql`select id from app.products where title like '旗舰礼包%'`;
    await page.goto(`${demo.info.h5_url}p/${flagship!.id}/${new URL(named).search}`);
    await page.getByRole("button", { name: "立即购买" }).waitFor();
    expect(page.url()).toBe(`${demo.info.h5_url}${new URL(named).search}#/products/${flagship!.id}`);
    await page.getByRole("button", { name: "返回" }).click();
    await settleH5(page);
    await page.getByText("Chen Jing 邀请你加入").waitFor();
    await page.getByRole("link", { name: "立即注册" }).click();
    await page.getByRole("heading", { name: "请先阅读" }).waitFor();
    await page.getByRole("article").waitFor();
    await page.getByRole("button", { name: "已阅读，继续" }).click();
    await page.getByText("Chen Jing 邀请你加入。").waitFor();
    const email = `${randomUUID()}@example.com`;
    await page.getByLabel("昵称").fill("新会员");
    await page.getByLabel("邮箱").fill(email);
    await page.getByLabel("密码", { exact: true }).fill(password);
    await page.getByRole("button", { name: "注册" }).click();

    // The new member buys the flagship, at an address typed on the way.
    await page.getByRole("link", { name: "旗舰礼包" }).click();
    await page.getByRole("button", { name: "立即购买" }).click();
    await page.getByRole("link", { name: "添加收货地址" }).click();
    await page.getByLabel("收货人").fill("王小明");
    await page.getByLabel("手机号").fill("13800000000");
    await page.getByRole("button", { name: "手动填写省市区" }).click();
    await page.getByLabel("省份").fill("广东省");
    await page.getByLabel("城市").fill("深圳市");
    await page.getByLabel("区县").fill("南山区");
    await page.getByLabel("街道与门牌号").fill("科技园 1 号");
    await page.getByRole("button", { name: "保存" }).click();
    await page.getByRole("button", { name: "加一件" }).click();
    await page.getByText("¥7,200.00").first().waitFor();
    await settleH5(page);
    // The payment begins by itself.
    await page.getByRole("button", { name: "提交订单" }).click();
    await page.getByRole("button", { name: "暂不支付", exact: true }).waitFor();

    const [order] = await demo.sql`
      select o.id, o.state, o.pay_price::text, o.referrer_uid, o.address ->> 'street' as street
      from app.orders as o join app.users as u on u.uid = o.uid join auth.users as a on a.id = u.auth_id where a.email = ${email}`;
    expect({ ...order, id: undefined }).toEqual({
      id: undefined,
      state: "unpaid",
      pay_price: "7200.00",
      referrer_uid: "10007",
      street: "科技园 1 号",
    });

    // The payer changes their mind, and pays from the order, where going back has not begun another payment.
    await page.getByRole("button", { name: "暂不支付", exact: true }).click();
    await page.getByText("支付进行中").waitFor();
    await page.getByText("尚未付款", { exact: true }).waitFor();
    await page.getByRole("link", { name: "查看订单" }).click();
    await page.getByRole("heading", { name: "订单详情" }).waitFor();
    await page.getByRole("button", { name: "付款" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "在线支付" }).click();
    await page.getByRole("button", { name: "支付", exact: true }).click();
    await page.getByRole("heading", { name: "支付成功" }).waitFor();
    await page.getByText("商城正在准备你的订单。").waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("link", { name: "查看订单" }).click();
    await page.getByRole("heading", { name: "订单详情" }).waitFor();
    await page.getByText("商城正在准备你的订单。").waitFor();
    expect(complaints).toEqual([]);

    // The sharer's pages show the commission of the second place of the cycle, the points that come with it, and those
    // of the level.
    const seen = (route: string, text: string) =>
      expect
        .poll(
          async () => {
            await sharer.open(route);
            return sharer.page.locator("main").innerText();
          },
          { interval: 1000 },
        )
        .toContain(text);
    await seen("/bill?type=brokerage", "+¥2,160.00");
    await seen("/cycle", "¥45,000.00");
    // The third place of the cycle, with ratio 0.5.
    await seen("/prospects", "+¥1,800.00");
    await seen("/bill?type=frozen_points_brokerage", "+2,000");
    await seen("/points", "110,702.5969");
    await seen("/team/orders", "新会员");
    await seen("/team", "¥2,160.00");
    // The release of the next day.
    await demo.sql`call app.release_frozen_points(null, now() + interval '1 day')`;
    const [balance] =
      await demo.sql`select available_points::float8 as available, frozen_points::float8 as frozen from app.user_balances where uid = 10007`;
    expect(balance!.available).toBeGreaterThan(597.4031);
    await seen("/points", balance!.available.toLocaleString("en-GB", { maximumFractionDigits: 4 }));
    await seen("/points", balance!.frozen.toLocaleString("en-GB", { maximumFractionDigits: 4 }));
    await seen("/bill?type=frozen_points_release", "Points released");
    expect(sharer.complaints).toEqual([]);
  });

  it("takes a new visitor from a share link to three paid products with at most 14 taps", async () => {
    const { page, complaints } = await demo.phone({ locale: "zh-CN" });
    let taps = 0;
    const tap = async (locator: Locator) => {
      await locator.click();
      taps++;
    };
    const button = (name: string) => page.getByRole("button", { name });
    await page.goto(`${demo.info.h5_url}?spread=10007`);
    const adds = page.getByRole("button", { name: /^加入购物车：/ });
    for (const place of [0, 1, 2]) await tap(adds.nth(place));
    await tap(page.getByRole("link", { name: /^购物车，3/ }));
    await tap(button("去结算（3）"));
    await tap(button("已阅读，继续"));
    await page.getByLabel("昵称").fill("新客");
    await page.getByLabel("邮箱").fill(`${randomUUID()}@example.com`);
    await page.getByLabel("密码", { exact: true }).fill(password);
    await tap(button("注册"));
    await tap(page.getByRole("link", { name: "添加收货地址" }));
    await page.getByLabel("粘贴地址，自动填写").evaluate((field, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", text);
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    }, "王小明 13800000000 广东省深圳市南山区科技园1号");
    await page.getByText("已填写，保存前请核对。").waitFor();
    await tap(button("保存"));
    await tap(button("提交订单"));
    await tap(page.getByRole("button", { name: "支付", exact: true }));
    await page.getByRole("heading", { name: "支付成功" }).waitFor();
    expect(taps).toBeLessThanOrEqual(14);
    const [order] = await demo.sql`
      select (select count(*)::int from app.order_lines as l where l.order_id = o.id) as lines, referrer_uid, address ->> 'street' as street
      from app.orders as o where o.paid_at is not null order by o.id desc limit 1`;
    expect({ ...order }).toEqual({ lines: 3, referrer_uid: "10007", street: "科技园1号" });
    expect(complaints).toEqual([]);
  });

  it("rejects a price that has changed since the checkout page was opened, shows the new one, and orders at that", async () => {
    const { page, open } = await demo.phone({ member: "lin@example.com", locale: "en-GB" });
    const [product] =
      await demo.sql`select id, price::text from app.products where not is_queue_goods and freight = 0 and stock is null order by id desc limit 1`;
    await open(`/checkout?product=${product!.id}`);
    await demo.sql`update app.products set price = 77.70 where id = ${product!.id}`;
    await page.getByRole("button", { name: "Place order" }).click();
    await page.getByRole("alert").getByText("77.70").waitFor();
    await page.locator("main footer").getByText("¥77.70").waitFor();
    await page.getByRole("button", { name: "Place order" }).click();
    await openUnpaid(page);
    await page.getByText(/^You can finish this payment until /).waitFor();
    await page.getByRole("button", { name: "Cancel order" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel order" }).click();
    await page.getByText("The order was cancelled.").waitFor();
    const [order] = await demo.sql`select state, pay_price::text from app.orders order by id desc limit 1`;
    expect({ ...order }).toEqual({ state: "cancelled", pay_price: "77.70" });
    await page.getByRole("button", { name: "Buy again" }).click();
    await page.getByRole("heading", { name: "Checkout" }).waitFor();
    await page.locator("main footer").getByText("¥77.70").waitFor();
  });

  it("counts the time that is left to pay down", async () => {
    const [order] = await demo.sql`
      select (app.create_order(10006, jsonb_build_array(jsonb_build_object('product_id', p.id, 'quantity', 1)), now())).id
      from app.products as p where not p.is_queue_goods and p.stock is null order by p.id limit 1`;
    await demo.sql`update app.settings set offline_payment = false`;
    const { page, open } = await demo.phone({ member: "lin@example.com", locale: "en-GB" });
    await open(`/orders/${order!.id}`);
    // The time to pay of the settings is 30 minutes.
    const left = page.getByRole("timer");
    const first = await left.innerText();
    expect(first).toMatch(/^Time left to pay: (30:00|29:\d\d)$/);
    await expect.poll(() => left.innerText()).not.toBe(first);
    await demo.sql`update app.settings set offline_payment = true`;
    await page.getByRole("button", { name: "Cancel order" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel order" }).click();
    await expect.poll(() => left.count()).toBe(0);
  });

  it("pays part of an order by points, and returns them when it is cancelled", async () => {
    const { page, open, complaints } = await demo.phone({ member: "chen@example.com", locale: "en-GB" });
    const [product] =
      await demo.sql`select id from app.products where not is_queue_goods and freight = 0 and stock is null order by id desc limit 1`;
    await demo.sql`update app.products set price = 60 where id = ${product!.id}`;
    const available = async () =>
      Number((await demo.sql`select available_points from app.user_balances where uid = 10007`)[0]!.available_points);
    const before = await available();
    await open(`/checkout?product=${product!.id}`);
    await page.getByText("Use 30 points, which pay ¥30.00").click();
    await page.locator("main footer").getByText("¥30.00").waitFor();
    await page.getByLabel("Points to use").fill("12.5");
    await page.locator("main footer").getByText("¥47.50").waitFor();
    await page.getByText("-¥12.50").waitFor();
    await settleH5(page);
    await page.getByRole("button", { name: "Place order" }).click();
    await openUnpaid(page);
    await page.getByText("Paid by points").waitFor();
    await page.getByText("12.5 points").waitFor();
    expect(await available()).toBeCloseTo(before - 12.5, 4);
    const [order] = await demo.sql`select id, pay_price from app.orders order by id desc limit 1`;
    expect(order!.pay_price).toBe("47.50");
    await page.getByRole("button", { name: "Cancel order" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel order" }).click();
    await page.getByText("Points returned").waitFor();
    expect(await available()).toBeCloseTo(before, 4);
    await open("/bill?type=points_spent");
    await page.getByText("Checkout · 12.5 × 1").waitFor();
    expect(complaints).toEqual([]);
  });

  it("says why points cannot pay", async () => {
    const { page, open } = await demo.phone({ member: "chen@example.com", locale: "zh-CN" });
    await open("/checkout?product=40");
    await page.getByText("报单商品不支持积分抵扣。").waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(0);
  });

  it("lets a buyer confirm the receipt, and request a refund of one unit", async () => {
    const [bought] = await demo.sql`
      select (app.create_order(10006, jsonb_build_array(jsonb_build_object('product_id', p.id, 'quantity', 2)), now())).id
      from app.products as p where not p.is_queue_goods and p.stock is null order by p.id limit 1`;
    await demo.sql`select app.pay_order(${bought!.id}, 'offline', 'h5-test', now())`;
    await demo.sql`select app.deliver_order(${bought!.id}, now(), 'SF', 'SF1001')`;
    await demo.sql`select app.ship_parcel(${bought!.id}, 'ZTO', 'ZT1002', null, now())`;
    const { page, open } = await demo.phone({ member: "lin@example.com", locale: "en-GB" });
    await open(`/orders/${bought!.id}`);
    await page.getByText("SF1001").waitFor();
    await page.getByText("ZT1002").waitFor();
    await page.getByText("ZTO Express").waitFor();
    expect(
      await page
        .getByRole("link", { name: "Open the carrier's page" })
        .evaluateAll((links) => links.map((link) => link.getAttribute("href"))),
    ).toEqual([
      "https://www.kuaidi100.com/chaxun?com=shunfeng&nu=SF1001",
      "https://www.kuaidi100.com/chaxun?com=zhongtong&nu=ZT1002",
    ]);
    await page.getByRole("button", { name: "Confirm receipt" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Confirm receipt" }).click();
    await page.getByText("Thank you for your order.").waitFor();
    await page.getByRole("button", { name: "Request a refund" }).click();
    await page.getByRole("button", { name: "One less" }).click();
    // No reason is chosen for the buyer.
    const send = page.getByRole("button", { name: "Send the request" });
    expect(await send.isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Something else" }).click();
    expect(await send.isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Damaged" }).click();
    expect(await send.isDisabled()).toBe(false);
    const pictures = page.getByRole("group", { name: "Pictures" });
    const broken = { name: "broken.png", mimeType: "image/png", buffer: plainPng(200, 100, 50, 300) };
    await page.getByLabel("Add pictures").setInputFiles([broken, broken]);
    await pictures.scrollIntoViewIfNeeded();
    await pictures.getByAltText("Picture 2").waitFor();
    expect(await barriers(page)).toEqual([]);
    await pictures.getByRole("button", { name: "Remove picture 2" }).click();
    await demo.sql`update app.settings set refused_words = '{shoddy}'`;
    await page.getByLabel("Details").fill("A Shoddy one");
    await send.click();
    await page.getByText("words that this store does not allow").first().waitFor();
    await demo.sql`update app.settings set refused_words = '{}'`;
    await page.getByLabel("Details").fill("One is broken");
    await send.click();
    await page.getByText("The request was sent.").waitFor();
    // The order is now about the refund, of which its page tells first.
    const progress = page.getByRole("list", { name: "Progress of the refund" });
    const steps = async () => (await progress.getByRole("listitem").allInnerTexts()).map((step) => step.split("\n")[0]);
    await expect.poll(steps).toEqual(["Request sent", "The store decides"]);
    await expect.poll(() => page.getByRole("heading", { level: 2 }).first().innerText()).toBe("Refunds");
    await page.getByRole("heading", { name: "Refunds" }).scrollIntoViewIfNeeded();
    const picture = page.getByAltText("Picture 1");
    expect(await picture.evaluate((img: HTMLImageElement) => img.decode().then(() => img.src))).toContain(
      "/object/sign/private-pictures/",
    );
    expect(await page.getByAltText("Picture 2").count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    const [refund] =
      await demo.sql`select r.reason, l.quantity from app.refunds as r join app.refund_lines as l on l.refund_id = r.id where r.order_id = ${bought!.id}`;
    expect({ ...refund }).toEqual({ reason: "Damaged · One is broken", quantity: 1 });
  });

  it("lets a buyer take a refund request back, and shows what was granted of another", async () => {
    const [bought] = await demo.sql`
      select (app.create_order(10006, jsonb_build_array(jsonb_build_object('product_id', p.id, 'quantity', 2)), now())).id
      from app.products as p where not p.is_queue_goods and p.stock is null order by p.id limit 1`;
    const { id } = bought!;
    const [{ title } = { title: "" }] = await demo.sql<
      { title: string }[]
    >`select title from app.order_lines where order_id = ${id}`;
    await demo.sql`select app.pay_order(${id}, 'offline', 'h5-take-back', now())`;
    await demo.sql`select app.request_refund(${id}, null, 'By mistake', now())`;
    const { page, open, complaints } = await demo.phone({ member: "lin@example.com", locale: "en-GB" });
    await open(`/orders/${id}`);
    await page.getByRole("button", { name: "Take the request back" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Take the request back" }).click();
    await page.getByText("The request was taken back.").waitFor();
    await page.getByText("Taken back", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Take the request back" }).count()).toBe(0);
    await demo.sql`select app.request_refund(${id}, null, 'Broken', now())`;
    await demo.sql`
      select app.refund_order(${id}, (select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)) from app.order_lines as l where l.order_id = ${id}), null, now())`;
    await open(`/orders/${id}`);
    await page.getByText("Granted in part").first().waitFor();
    await page.getByText("Paid back to you by the store itself").waitFor();
    await page.getByText(`${title} · 1 of 2 requested units refunded`).waitFor();
    await demo.sql`select app.request_refund(${id}, null, 'Late', now())`;
    await open(`/orders/${id}`);
    await page.getByText(`${title} × 1`, { exact: true }).waitFor();
    await demo.sql`select app.refuse_refund(${id}, now(), 'It was used.')`;
    await open(`/orders/${id}`);
    await page.getByText("The store says: It was used.").waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("shows a buyer where to send goods back, and takes the number of the parcel until they have arrived", async () => {
    const [bought] = await demo.sql`
      select (app.create_order(10006, jsonb_build_array(jsonb_build_object('product_id', p.id, 'quantity', 1)), now())).id
      from app.products as p where not p.is_queue_goods and p.stock is null order by p.id limit 1`;
    const { id } = bought!;
    await demo.sql`select app.pay_order(${id}, 'offline', 'h5-return', now())`;
    await demo.sql`select app.deliver_order(${id}, now(), 'SF', 'SF1009')`;
    await demo.sql`select app.request_refund(${id}, null, 'Too small', now())`;
    await demo.sql`select app.set_settings(${demo.sql.json({ return_address: { name: "Returns desk", phone: "0755 2660 0000", region: ["广东省", "深圳市"], street: "Gate 4" } })}, now())`;
    const { page, open, complaints } = await demo.phone({ member: "lin@example.com", locale: "en-GB" });
    await open(`/orders/${id}/return`);
    await page.getByText("No goods of this order have to be sent back.").waitFor();
    await demo.sql`select app.request_return(${id}, now())`;
    await open(`/orders/${id}`);
    await page.getByText("Returns desk").waitFor();
    await page.getByText("广东省 深圳市 Gate 4").waitFor();
    await page.getByRole("link", { name: "Enter the return parcel" }).click();
    await page.getByLabel("Carrier").fill("Pony");
    await page.getByLabel("Tracking no.").fill("R1");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The return parcel was saved.").waitFor();
    await page.getByText("On the way to the store").waitFor();
    await page.getByRole("link", { name: "Correct the return parcel" }).click();
    await page.getByLabel("Carrier").fill("SF");
    await page.getByLabel("Tracking no.").fill("R2");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("R2").waitFor();
    await page.getByText("SF Express").first().waitFor();
    await demo.sql`select app.receive_return(${id}, now())`;
    await open(`/orders/${id}`);
    await page.getByText("Arrived at the store").waitFor();
    expect(await page.getByRole("link", { name: "Correct the return parcel" }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("renews an expired session above the open page, and keeps its input", async () => {
    const { page, open } = await demo.phone({ member: "wang@example.com", locale: "en-GB" });
    await open("/addresses/new");
    await page.getByLabel("Name").fill("Wang Fang");
    await page.route(
      "**/api/address",
      (route) =>
        route.request().method() === "POST"
          ? route.fulfill({
              status: 401,
              contentType: "application/problem+json",
              body: JSON.stringify({
                type: "x",
                title: "The token has expired",
                status: 401,
                detail: "Sign in again.",
                code: "token_expired",
                request_id: "r",
              }),
            })
          : route.continue(),
      { times: 1 },
    );
    await page.getByRole("button", { name: "Type the region instead" }).click();
    for (const [label, text] of [
      ["Phone", "+86 138 0000 0102"],
      ["Province", "广东省"],
      ["City", "深圳市"],
      ["Street and house number", "1"],
    ])
      await page.getByLabel(label!).fill(text!);
    await page.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    expect(await dialog.getByLabel("Email").inputValue()).toBe("wang@example.com");
    await dialog.getByLabel("Password", { exact: true }).fill("wrong password");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.getByText("Email or password is wrong").waitFor();
    await dialog.getByLabel("Password", { exact: true }).fill(password);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(await page.getByLabel("Name").inputValue()).toBe("Wang Fang");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The address was saved.").waitFor();
  });

  it("shows why a sign-up failed, and returns to the page that required it", async () => {
    const { page, open } = await demo.phone({ locale: "en-GB" });
    await open("/bill");
    await page.getByRole("button", { name: "I have read this. Continue" }).click();
    await page.getByRole("link", { name: "Sign up" }).click();
    await page.getByLabel("Nickname").fill("Chen");
    await page.getByLabel("Email").fill("chen@example.com");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign up" }).click();
    await page.getByRole("alert").getByText("This email address already has an account").waitFor();
    await page.getByRole("link", { name: "Sign in" }).click();
    // The form before has the same fields.
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.getByLabel("Email").fill("chen@example.com");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Bill" }).waitFor();
  });
});
