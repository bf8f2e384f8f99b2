import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { build } from "vite";
import type * as MiniProgram from "../../apps/client/mini_program.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { addProduct, signUp } from "../api/client.ts";
import { stack } from "../support/index.ts";
import { plainPng } from "../support/wechat/fake_wechat.ts";
import { FakeWx } from "../support/wechat/fake_wx.ts";

/** A product of this file. Other files add and sell out products of their own at the same time. */
let tea: number;
let functionsUrl: string;

beforeAll(async () => {
  tea = await addProduct("Tea for phones", "19.90", false);
  functionsUrl = stack().functions_url;
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
    const { createMiniProgramApi } = wx.run(
      await bundle(join(projectRoot, "apps/client/mini_program.ts")),
    ) as unknown as typeof MiniProgram;
    client = createMiniProgramApi({
      functionsUrl: `${functionsUrl}/`,
      accessToken: () => token,
      request: wx.wx.request,
    });
  });

  it("reads lists with query parameters in order", async () => {
    const { data, response } = await client.GET("/api/product", { params: { query: { limit: 1, page: 1 } } });
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toContain("application/json");
    expect(data!.list).toHaveLength(1);
    expect(wx.requests.at(-1)!.url).toBe(`${functionsUrl}/api/product?limit=1&page=1`);
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

  it("reads the text of a file, and uploads a picture", async () => {
    ({ token } = await signUp("With files in a mini program"));
    const { data: months } = await client.GET("/api/statement");
    const { data: csv } = await client.GET("/api/statement/csv", {
      params: { query: { month: months!.month } },
      parseAs: "stream",
    });
    expect(csv).toMatch(/^[^,]+,[^\n]+\r?\n/);
    const { createMiniProgramUpload } = wx.run(
      await bundle(join(projectRoot, "apps/client/mini_program.ts")),
    ) as unknown as typeof MiniProgram;
    const upload = createMiniProgramUpload({
      functionsUrl: `${functionsUrl}/`,
      accessToken: () => token,
      request: wx.wx.request,
    });
    const { data } = await upload("refund", Uint8Array.from(plainPng(1, 2, 3)).buffer);
    expect(data).toEqual({
      id: expect.any(String),
      url: expect.any(String),
      small_url: expect.any(String),
      width: 430,
      height: 430,
    });
    const { error, response } = await upload("avatar", new ArrayBuffer(8));
    expect([response.status, error!.code]).toEqual([422, "picture_refused"]);
  });

  it("rejects if no response arrives", async () => {
    const { createMiniProgramApi } = wx.run(
      await bundle(join(projectRoot, "apps/client/mini_program.ts")),
    ) as unknown as typeof MiniProgram;
    const nowhere = createMiniProgramApi({ functionsUrl: "http://127.0.0.1:1", request: wx.wx.request });
    await expect(nowhere.GET("/api/product")).rejects.toMatchObject({ message: "request:fail connect" });
  });
});
