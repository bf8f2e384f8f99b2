import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { settleH5 } from "../../scripts/pictures/h5_visit.ts";
import { FakeWechat } from "../support/wechat/fake_wechat.ts";
import { FakeWechatPay } from "../support/wechat/fake_wechat_pay.ts";
import { type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { H5 } from "../support/wechat/apps.ts";
import { barriers } from "./browser.ts";
import { demoH5, type H5Page } from "./demo_h5.ts";

const demo = demoH5();
const wechat = new FakeWechat();
const wechatPay = new FakeWechatPay();
const WORKER_SECRET = "the secret of the worker in this test";
let api: EdgeFunction;
let worker: EdgeFunction;

beforeAll(async () => {
  const { database_url, supabase_url, secret_key, jwt_secret } = demo.info;
  await wechatPay.start();
  worker = await serveEdgeFunction("worker", database_url, {
    ...wechatPay.settings(),
    STORE_WECHAT_PAY_APPIDS: H5.appid,
    STORE_WORKER_SECRET: WORKER_SECRET,
  });
  api = await serveEdgeFunction("api", database_url, {
    ...wechatPay.settings(),
    STORE_WECHAT_PAY_APPIDS: H5.appid,
    STORE_WECHAT_API_URL: await wechat.start(),
    STORE_WECHAT_H5_APPID: H5.appid,
    STORE_WECHAT_H5_SECRET: H5.secret,
    SUPABASE_URL: supabase_url,
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: secret_key }),
    STORE_JWT_SECRET: jwt_secret,
    STORE_JWT_ISSUER: `${supabase_url}/auth/v1`,
  });
});
afterAll(async () => {
  await Promise.all([api?.stop(), worker?.stop()]);
  await Promise.all([wechat.stop(), wechatPay.stop()]);
});
beforeEach(async () => {
  wechat.mood = "well";
  // A failure of the test before would be kept for ten seconds.
  await demo.sql`delete from app.wechat_tokens where token is null`;
});

/** The fake of WeChat: who opens its sign-in page, and what the payer does in its dialog. */
interface Wechat {
  /** The code of the sign-in, by the openid of the user. */
  codeOf: (openid: string) => string;
  payerDoes: (prepay: string) => "ok" | "cancel" | "fail";
}

/** What pages have set for sharing, the newest last. */
const cards: { name: string; title: string; desc?: string; link: string; imgUrl: string }[] = [];

/** A phone in the browser of WeChat, on which the app is configured for a service account. */
async function wechatPhone(openid: string, { codeOf, payerDoes }: Wechat): Promise<H5Page> {
  const phone = await demo.phone({ locale: "zh-CN" });
  const { context, page } = phone;
  await context.addInitScript(() => {
    Object.defineProperty(navigator, "userAgent", { value: `${navigator.userAgent} MicroMessenger/8.0.50` });
    type Parameters = Record<string, string>;
    interface WechatWindow {
      payerDoes(prepay: string): Promise<string>;
      wechatAccepts(url: string, page: Parameters): Promise<boolean>;
      wechatTakes(name: string, card: Parameters): Promise<void>;
      WeixinJSBridge: {
        invoke(name: string, parameters: Parameters, done: (result: { err_msg: string }) => void): void;
      };
    }
    let isAccepted = false;
    const wechatWindow = window as unknown as WechatWindow;
    // WeChat adds its bridge after the page has loaded.
    setTimeout(() => {
      wechatWindow.WeixinJSBridge = {
        invoke: (name, parameters, done) => {
          const respond = (isOk: boolean) => done({ err_msg: `${name}:${isOk ? "ok" : "fail"}` });
          if (name === "preVerifyJSAPI") {
            void wechatWindow
              .wechatAccepts(location.href.split("#")[0]!, parameters)
              .then((accepted) => respond((isAccepted = accepted)));
            return;
          }
          if (name.endsWith("ShareData")) {
            if (isAccepted) void wechatWindow.wechatTakes(name, parameters).then(() => respond(true));
            else respond(false);
            return;
          }
          if (name !== "getBrandWCPayRequest" && name !== "requestMerchantTransfer") throw new Error(name);
          void wechatWindow.payerDoes(parameters.package!).then((outcome) => done({ err_msg: `${name}:${outcome}` }));
        },
      };
      document.dispatchEvent(new Event("WeixinJSBridgeReady"));
    }, 500);
  });
  await context.exposeFunction("payerDoes", payerDoes);
  await context.exposeFunction("wechatAccepts", (url: string, page: Record<string, string>) =>
    wechat.accepts(url, {
      app_id: page.verifyAppId,
      timestamp: page.verifyTimestamp,
      nonce_str: page.verifyNonceStr,
      signature: page.verifySignature,
    }),
  );
  await context.exposeFunction("wechatTakes", (name: string, card: (typeof cards)[number]) =>
    cards.push({ ...card, name }),
  );
  await context.route("**/config.json", (route) =>
    route.fulfill({
      json: {
        supabase_url: "/",
        publishable_key: demo.info.publishable_key,
        payment_provider: "wechat",
        wechat_appid: H5.appid,
      },
    }),
  );
  await context.route("**/functions/v1/api/**", (route, request) =>
    route.continue({ url: request.url().replace(demo.info.functions_url, api.base) }),
  );
  await context.route("https://open.weixin.qq.com/**", (route, request) => {
    const { searchParams } = new URL(request.url());
    // WeChat refuses another order of the parameters. Otherwise: no page.
    if (
      [...searchParams.keys()].join() !== "appid,redirect_uri,response_type,scope,state" ||
      searchParams.get("appid") !== H5.appid
    )
      return route.abort();
    const back = new URL(searchParams.get("redirect_uri")!);
    back.searchParams.set("code", codeOf(openid));
    back.searchParams.set("state", searchParams.get("state")!);
    return route.fulfill({ status: 302, headers: { location: back.href } });
  });
  await page.goto(`${demo.info.h5_url}?spread=10007`);
  await settleH5(page);
  return phone;
}

const signInWith = (openid: string) => wechat.codeOf(openid, {}, H5);
const nothingToPay = () => "fail" as const;

async function signIn({ page }: H5Page): Promise<void> {
  await page.getByRole("button", { name: "已阅读，继续" }).click();
  await page.getByRole("button", { name: "微信登录" }).click();
}

describe("the H5 app inside WeChat", () => {
  it("signs a visitor up as the user of WeChat, below the member who shared, and takes the payment in the dialog of WeChat", async () => {
    const openid = `o${randomUUID()}`;
    const outcomes: ("cancel" | "ok")[] = ["cancel", "ok"];
    const payerDoes = () => {
      const outcome = outcomes.shift()!;
      const attempt = [...wechatPay.transactions.keys()].at(-1)!;
      if (outcome === "ok") expect(wechatPay.pay(attempt)).toBe(true);
      return outcome;
    };
    const phone = await wechatPhone(openid, { codeOf: signInWith, payerDoes });
    const { page, complaints } = phone;
    const [tea] =
      await demo.sql`select id from app.products where not is_queue_goods and stock is null and is_show and not is_del order by id limit 1`;
    await phone.open(`/checkout?product=${tea!.id}`);
    await page.getByRole("button", { name: "已阅读，继续" }).click();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("button", { name: "微信登录" }).click();
    await page.getByRole("heading", { name: "确认订单" }).waitFor();
    await settleH5(page);
    expect(page.url()).not.toContain("code=");
    const member = () =>
      demo.sql`select u.uid, u.spread_uid from app.users as u join app.wechat_accounts as a using (auth_id) where a.openid = ${openid}`;
    expect((await member()).map(({ spread_uid }) => spread_uid)).toEqual(["10007"]);

    await page.getByRole("link", { name: "添加收货地址" }).click();
    await page.getByRole("button", { name: "手动填写省市区" }).click();
    for (const [label, text] of Object.entries({
      收货人: "林",
      手机号: "13800000000",
      省份: "广东省",
      城市: "深圳市",
      区县: "南山区",
      街道与门牌号: "科技园 1 号",
    })) {
      await page.getByLabel(label).fill(text);
    }
    await page.getByRole("button", { name: "保存" }).click();
    await page.getByRole("button", { name: "提交订单" }).click();
    // The first payment begins by itself.
    await expect.poll(() => outcomes.length).toBe(1);
    await page.getByRole("dialog").getByRole("button", { name: "在线支付" }).click();
    await page.getByRole("heading", { name: "支付成功" }).waitFor();
    await page.getByText("商城正在准备你的订单。").waitFor();
    expect([...wechatPay.transactions.values()].map(({ trade_state }) => trade_state)).toEqual(["SUCCESS"]);
    expect(complaints).toEqual([]);

    // The session is one of Supabase Auth: it survives a reload, and a later sign-in finds the same member.
    await phone.open("/me");
    await page.getByText("退出登录").waitFor();
    const later = await wechatPhone(openid, { codeOf: signInWith, payerDoes: nothingToPay });
    await later.open("/me");
    await signIn(later);
    await later.page.getByText("退出登录").waitFor();
    expect(await member()).toHaveLength(1);
  });

  it("sets the card of what is shared, with the referrer, and offers the link while WeChat gives no ticket", async () => {
    const openid = `o${randomUUID()}`;
    const phone = await wechatPhone(openid, { codeOf: signInWith, payerDoes: nothingToPay });
    const { page } = phone;
    const newest = (name: string) => cards.findLast((card) => card.name === name);
    const card = () => newest("updateAppMessageShareData");
    // A visitor passes on who has invited them.
    await expect.poll(() => card()?.link).toBe(`${demo.info.h5_url}?spread=10007#/`);
    await page.getByRole("link", { name: "旗舰礼包" }).click();
    await expect.poll(() => card()?.title).toBe("旗舰礼包 Flagship package");
    const route = new URL(page.url()).hash;
    expect(card()).toMatchObject({
      link: `${demo.info.h5_url}?spread=10007${route}`,
      imgUrl: expect.stringMatching(/^http/),
    });
    expect(newest("updateTimelineShareData")).toMatchObject({ title: card()!.title, link: card()!.link });

    await phone.open("/me");
    await signIn(phone);
    await page.getByText("退出登录").waitFor();
    const [member] =
      await demo.sql`select u.uid, u.share_code from app.users as u join app.wechat_accounts as a using (auth_id) where a.openid = ${openid}`;
    const own = `${demo.info.h5_url}?spread=${member!.uid}&share=${member!.share_code}`;
    // A page that is not shared itself shares the store.
    await expect.poll(() => card()?.link).toBe(`${own}#/`);
    await phone.open(route.slice(1));
    await expect.poll(() => card()?.link).toBe(`${own}${route}`);
    const share = page.getByRole("button", { name: "分享本页" });
    await share.click();
    const sheet = page.getByRole("dialog");
    await sheet.getByText("点击微信右上角").waitFor();
    expect(await barriers(page)).toEqual([]);

    await demo.sql`delete from app.wechat_tokens where kind = 'jsapi_ticket'`;
    wechat.mood = "unheard of";
    await page.reload();
    await share.click();
    await sheet.getByText("复制链接，粘贴到聊天中发送").waitFor();
    await sheet.getByText(`${own}${route}`).waitFor();
  });

  it("renews a session that the store has rejected by one visit to WeChat, and returns to the page", async () => {
    const phone = await wechatPhone(`o${randomUUID()}`, { codeOf: signInWith, payerDoes: nothingToPay });
    const { page } = phone;
    await phone.open("/me");
    await signIn(phone);
    await page.getByText("退出登录").waitFor();
    // The signature no longer fits, for example after a change of the keys of the project. The expiry time is still in
    // the future.
    await page.evaluate(() => {
      const session = JSON.parse(localStorage.getItem("store-h5-session")!);
      localStorage.setItem(
        "store-h5-session",
        JSON.stringify({ ...session, access_token: `${session.access_token.slice(0, -8)}AAAAAAAA` }),
      );
    });
    const sent: (string | undefined)[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/api/auth/wechat") && request.method() === "POST")
        sent.push(request.headers().authorization);
    });
    await phone.open("/team");
    await page.getByRole("dialog").getByRole("button", { name: "微信登录" }).click();
    await page.getByRole("heading", { name: "团队", exact: true }).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await settleH5(page);
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(sent).toEqual([undefined]);
  });

  it("says why WeChat refused a sign-in, and tries again with a new code", async () => {
    const codes = ["a code that WeChat does not know"];
    const phone = await wechatPhone(`o${randomUUID()}`, {
      codeOf: (openid) => codes.pop() ?? signInWith(openid),
      payerDoes: nothingToPay,
    });
    await phone.open("/team");
    await signIn(phone);
    await phone.page.getByRole("alert").waitFor();
    expect(await barriers(phone.page)).toEqual([]);
    await phone.page.getByRole("button", { name: "微信登录" }).click();
    await phone.page.getByRole("heading", { name: "团队", exact: true }).waitFor();
  });

  it("ignores a code that this phone has not requested", async () => {
    const { page } = await wechatPhone(`o${randomUUID()}`, { codeOf: signInWith, payerDoes: nothingToPay });
    await page.goto(`${demo.info.h5_url}?code=${signInWith("stranger")}&state=stranger`);
    await settleH5(page);
    expect(page.url()).not.toContain("code=");
    await page.getByRole("link", { name: "立即注册" }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem("store-h5-session"))).toBeNull();
  });

  it("lets a member withdraw to WeChat, confirm the receipt there, and see it paid", async () => {
    const openid = `o${randomUUID()}`;
    await demo.sql`update app.settings set withdrawal_methods = '{wechat}', transfer_name_from = 50`;
    const opened: string[] = [];
    const phone = await wechatPhone(openid, {
      codeOf: signInWith,
      payerDoes: (packageInfo) => (opened.push(packageInfo), "ok"),
    });
    const { page, complaints } = phone;
    await phone.open("/me");
    await signIn(phone);
    await page.getByText("退出登录").waitFor();
    await demo.sql`
      select (app.create_adjustment(u.uid, 500, 0, 0, 'For a test', null, now())).id from app.users as u join app.wechat_accounts as a using (auth_id) where a.openid = ${openid}`;
    await phone.open("/withdrawals/new");
    await page.getByLabel("金额").fill("100");
    await page.getByLabel("真实姓名").fill("林薇");
    await page.getByRole("button", { name: "提交申请" }).click();
    await page.getByText("已提交提现申请。").waitFor();
    const [withdrawal] =
      await demo.sql`select w.id, w.withdrawal_no as no from app.withdrawals as w join app.transfers as t on t.withdrawal_id = w.id where t.openid = ${openid}`;
    await demo.sql`select app.approve_withdrawal(app.lock_withdrawal(${withdrawal!.id}), now())`;

    // The worker of the demo, which has no merchant, takes the same calls.
    const workUntil = (state: string) =>
      expect
        .poll(async () => {
          await demo.sql`update app.outbox set run_after = now() where key = ${withdrawal!.no}`;
          await (
            await fetch(`${worker.base}/worker/run`, { method: "POST", headers: { "x-worker-secret": WORKER_SECRET } })
          ).body?.cancel();
          return (
            await demo.sql`select coalesce(transfer_state, state) as state from app.withdrawals where id = ${withdrawal!.id}`
          )[0]!.state as string;
        })
        .toBe(state);
    await workUntil("confirming");
    await phone.open("/withdrawals");
    await page.getByText("请在微信中确认收款").waitFor();
    await page.getByRole("link", { name: "微信", exact: true }).click();
    await page.getByText("你确认后，微信将转入").waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("button", { name: "在微信中确认收款" }).click();
    await expect.poll(() => opened).toEqual([wechatPay.transfers.get(withdrawal!.no)!.package_info]);
    expect(wechatPay.confirmTransfer(withdrawal!.no)).toBe(true);
    wechatPay.decideTransfer(withdrawal!.no);
    await workUntil("succeeded");
    await page.getByText("已付款").waitFor();
    expect(wechatPay.paidOut).toEqual([{ no: withdrawal!.no, openid, amount: 10_000 }]);
    expect(complaints).toEqual([]);
  });

  it("says that WeChat Pay did not open", async () => {
    const openid = `o${randomUUID()}`;
    const phone = await wechatPhone(openid, { codeOf: signInWith, payerDoes: () => "fail" });
    const { page } = phone;
    await phone.open("/me");
    await signIn(phone);
    await page.getByText("退出登录").waitFor();
    const [order] = await demo.sql`
      select (app.create_order(u.uid, jsonb_build_array(jsonb_build_object('product_id', p.id, 'quantity', 1)), now())).id
      from app.users as u join app.wechat_accounts as a using (auth_id),
        lateral (select id from app.products where not is_queue_goods and stock is null and is_show and not is_del order by id limit 1) as p
      where a.openid = ${openid}`;
    await phone.open(`/orders/${order!.id}`);
    await page.getByRole("button", { name: "付款" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "在线支付" }).click();
    await page.getByText("未能打开微信支付").waitFor();
  });
});
