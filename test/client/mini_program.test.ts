import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build } from "vite";
import type * as MiniProgram from "../../client/mini_program.ts";
import { projectRoot } from "../../scripts/stack/paths.ts";
import { addProduct, signUp } from "../api/client.ts";
import { FakeWechat, MINI } from "../api/fake_wechat.ts";
import { type EdgeFunction, serveEdgeFunction, stack } from "../support/index.ts";
import { FakeWx } from "./fake_wx.ts";

const wechat = new FakeWechat();
let api: EdgeFunction;

beforeAll(async () => {
  await addProduct("Tea for phones", "19.90", false);
  api = await serveEdgeFunction("api", stack().database_url, {
    STORE_WECHAT_API_URL: await wechat.start(),
    STORE_WECHAT_MINI_APPID: MINI.appid,
    STORE_WECHAT_MINI_SECRET: MINI.secret,
  });
});
afterAll(async () => {
  await api?.stop();
  await wechat.stop();
});

/** Bundles a module as one CommonJS file. @returns its code */
async function bundle(entry: string): Promise<string> {
  const result = await build({
    configFile: false, logLevel: "error", root: projectRoot,
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

  it("returns null where the store answers null, and an error where it refuses", async () => {
    expect((await client.GET("/api/sign/required_article")).data).not.toBeUndefined();
    const { error, response } = await client.GET("/api/user");
    expect([response.status, response.ok, error!.code]).toEqual([401, false, "unauthenticated"]);
  });

  it("writes with a token, an idempotency key, and the parameters of the path", async () => {
    ({ token } = await signUp("In a mini program"));
    const { data: address } = await client.POST("/api/address", { body: { name: "林", phone: "13800000000", region: ["广东省", "深圳市"], street: "科技路 1 号" } });
    const product = (await client.GET("/api/product")).data!.list[0]!;
    const place = () => client.POST("/api/order", { params: { header: { "Idempotency-Key": "one-order" } }, body: { items: [{ product_id: product.id, quantity: 1 }], address_id: address!.id } });
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
