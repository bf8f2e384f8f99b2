import { randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build } from "vite";
import type * as MiniProgram from "../../client/mini_program.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { addProduct, signUp } from "../api/client.ts";
import { FakeWechat } from "../support/wechat/fake_wechat.ts";
import { MINI } from "../support/wechat/apps.ts";
import { FakeWechatPay } from "../support/wechat/fake_wechat_pay.ts";
import { connect, type EdgeFunction, serveEdgeFunction, stack } from "../support/index.ts";
import { FakeWx } from "../support/wechat/fake_wx.ts";

const example = join(projectRoot, "client/examples/mini_program");
const wechat = new FakeWechat();
const wechatPay = new FakeWechatPay();
let api: EdgeFunction;
/** A product of this file. Other files add and sell out products of their own at the same time. */
let tea: number;

beforeAll(async () => {
  tea = await addProduct("Tea for phones", "19.90", false);
  await wechatPay.start();
  api = await serveEdgeFunction("api", stack().database_url, {
    ...wechatPay.settings(),
    STORE_WECHAT_API_URL: await wechat.start(),
    STORE_WECHAT_MINI_APPID: MINI.appid,
    STORE_WECHAT_MINI_SECRET: MINI.secret,
  });
});
afterAll(async () => {
  await api?.stop();
  await Promise.all([wechat.stop(), wechatPay.stop()]);
});

/** Bundles a module as one CommonJS file. @returns its code */
async function bundle(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "error",
    root: projectRoot,
    build: { write: false, minify: false, target: "es2020", lib: { entry, formats: ["cjs"], fileName: "bundle" } },
  });
  const [{ output }] = result as unknown as [{ output: [{ code: string }] }];
  return output[0].code;
}

describe("the client in a context that has only wx", () => {
  const wx = new FakeWx();
  let client: MiniProgram.MiniProgramApi;
  let token: string | undefined;
  beforeAll(async () => {
    const { createMiniProgramApi } = wx.run(await bundle(join(projectRoot, "client/mini_program.ts"))) as unknown as typeof MiniProgram;
    client = createMiniProgramApi({ functionsUrl: `${api.base}/`, accessToken: () => token, request: wx.wx.request });
  });

  it("reads lists with query parameters in order", async () => {
    const { data, response } = await client.GET("/api/product", { params: { query: { limit: 1, page: 1 } } });
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toContain("application/json");
    expect(data!.list).toHaveLength(1);
    expect(wx.requests.at(-1)!.url).toBe(`${api.base}/api/product?limit=1&page=1`);
  });

  it("returns null if the response is null, and an error if the store rejects the request", async () => {
    expect((await client.GET("/api/sign/required_article")).data).not.toBeUndefined();
    const { error, response } = await client.GET("/api/user");
    expect([response.status, response.ok, error!.code]).toEqual([401, false, "unauthenticated"]);
  });

  it("writes with a token, an idempotency key, and the parameters of the path", async () => {
    ({ token } = await signUp("In a mini program"));
    const { data: address } = await client.POST("/api/address", {
      body: { name: "林", phone: "13800000000", region: ["广东省", "深圳市"], street: "科技路 1 号" },
    });
    const place = () =>
      client.POST("/api/order", {
        params: { header: { "Idempotency-Key": "one-order" } },
        body: { items: [{ product_id: tea, quantity: 1 }], address_id: address!.id },
      });
    const order = (await place()).data!;
    expect((await place()).data!.id).toBe(order.id);
    const { data } = await client.PUT("/api/order/{id}/cancel", { params: { path: { id: order.id } } });
    expect(data!.state).toBe("cancelled");
    expect((await client.DELETE("/api/address/{id}", { params: { path: { id: address!.id } } })).error).toBeUndefined();
  });

  it("rejects if no response arrives", async () => {
    const { createMiniProgramApi } = wx.run(await bundle(join(projectRoot, "client/mini_program.ts"))) as unknown as typeof MiniProgram;
    const nowhere = createMiniProgramApi({ functionsUrl: "http://127.0.0.1:1", request: wx.wx.request });
    await expect(nowhere.GET("/api/product")).rejects.toMatchObject({ message: "request:fail connect" });
  });
});

describe("the example project", () => {
  const wx = new FakeWx();
  let folder: string;
  beforeAll(async () => {
    // A copy that calls the functions of this test.
    folder = mkdtempSync(join(tmpdir(), "mini-program-"));
    cpSync(join(example, "miniprogram"), folder, { recursive: true });
    const app = readFileSync(join(folder, "app.js"), "utf8");
    await build({
      root: example,
      configFile: join(example, "vite.config.ts"),
      logLevel: "error",
      build: { outDir: join(folder, "build") },
    });
    writeFileSync(join(folder, "app.js"), app.replace("http://127.0.0.1:54321/functions/v1", api.base));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("has the files that WeChat's tools expect", () => {
    const { miniprogramRoot, compileType } = JSON.parse(readFileSync(join(example, "project.config.json"), "utf8")) as Record<
      string,
      string
    >;
    expect([miniprogramRoot, compileType]).toEqual(["miniprogram/", "miniprogram"]);
    const { pages } = JSON.parse(readFileSync(join(folder, "app.json"), "utf8")) as { pages: string[] };
    for (const page of pages)
      for (const type of ["js", "json", "wxml", "wxss"]) expect(existsSync(join(folder, `${page}.${type}`)), `${page}.${type}`).toBe(true);
  });

  it("signs in below the member of a poster, lists the products, and pays an order in WeChat", async () => {
    const referrer = await signUp("Sharer of the mini program");
    const openid = `o${randomUUID()}`;
    wx.login = () => wechat.codeOf(openid);
    wx.requestPayment = async ({ package: prepay, paySign, timeStamp, nonceStr }) => {
      expect(FakeWechatPay.isMerchants([MINI.appid, String(timeStamp), String(nonceStr), String(prepay)], String(paySign))).toBe(true);
      return wechatPay.pay([...wechatPay.transactions.keys()].at(-1)!);
    };
    const page = wx.open(folder, "pages/index/index", { scene: encodeURIComponent(`spread=${referrer.uid}`) });
    await page.onLoad();
    expect(page.data).toMatchObject({ buying: null, message: "" });
    const { uid } = await page
      .onShareAppMessage()
      .promise.then(({ path }: { path: string }) => ({ uid: Number(path.split("?spread=")[1]) }));
    expect(page.data.products).toContainEqual(expect.objectContaining({ id: tea, title: "Tea for phones" }));
    expect((await sqlOf(uid)).spread_uid).toBe(String(referrer.uid));

    await page.buy({ currentTarget: { dataset: { id: tea } } });
    expect(page.data.message).toMatch(/^订单 \d+ 已支付$/);
    expect(wx.requests.filter(({ url }) => url.endsWith("/api/auth/wechat"))).toHaveLength(1);
  });

  it("shares the member's number even before the sign-in has ended, and never an empty one", async () => {
    wx.login = () => wechat.codeOf(`o${randomUUID()}`);
    const page = wx.open(folder, "pages/index/index", {});
    const loading = page.onLoad();
    const { path, promise } = page.onShareAppMessage();
    expect(path).toBe("/pages/index/index");
    expect((await promise).path).toMatch(/^\/pages\/index\/index\?spread=[1-9]\d*$/);
    await loading;
    wx.login = () => "no-code";
    expect(await wx.open(folder, "pages/index/index", {}).onShareAppMessage().promise).toEqual({ path: "/pages/index/index" });
  });

  it("places one order for two taps, and for a tap after an answer that was lost", async () => {
    wx.login = () => wechat.codeOf(`o${randomUUID()}`);
    const page = wx.open(folder, "pages/index/index", {});
    await page.onLoad();
    const { path } = await page.onShareAppMessage().promise;
    const uid = Number(path.split("=")[1]);
    const tap = { currentTarget: { dataset: { id: tea } } };
    const { request } = wx.wx;
    wx.wx.request = ({ success, fail, ...options }) =>
      request({
        ...options,
        fail: fail!,
        success: (response) =>
          options.url.endsWith("/api/order") ? fail!({ errMsg: "request:fail timeout", errno: 5 }) : success!(response),
      });
    await page.buy(tap);
    expect(page.data).toMatchObject({ buying: null, message: "request:fail timeout" });
    wx.wx.request = request;
    const taps = [page.buy(tap), page.buy(tap)];
    expect(page.data.buying).toBe(tap.currentTarget.dataset.id);
    await Promise.all(taps);
    expect((await sqlOf(uid)).orders).toBe("1");
    await page.buy(tap);
    expect((await sqlOf(uid)).orders).toBe("2");
    expect(readFileSync(join(folder, "pages/index/index.wxml"), "utf8")).toContain('disabled="{{buying}}"');
  });

  it("reports that an order is not paid if the payer cancels, and shows the errors of the store", async () => {
    wx.login = () => wechat.codeOf(`o${randomUUID()}`);
    wx.requestPayment = () => Promise.resolve(false);
    const page = wx.open(folder, "pages/index/index", {});
    await page.onLoad();
    await page.buy({ currentTarget: { dataset: { id: tea } } });
    expect(page.data.message).toMatch(/^订单 \d+ 待支付$/);
    await page.buy({ currentTarget: { dataset: { id: 900000000000001 } } });
    expect(page.data.message).toMatch(/\p{Script=Han}/u);
  });
});

async function sqlOf(uid: number): Promise<Record<string, unknown>> {
  const sql = connect(stack().database_url);
  try {
    return (
      await sql`select spread_uid, (select count(*) from app.orders as o where o.uid = u.uid) as orders from app.users as u where uid = ${uid}`
    )[0]!;
  } finally {
    await sql.end();
  }
}
