import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { listenOnLoopback, stopServer } from "../support/loopback_server.ts";
import { FakeWx } from "../support/wechat/fake_wx.ts";

// A client keeps the position of the store for its page. Test files of one worker share modules, so this one loads its
// own.
vi.resetModules();
const { createStore } = await import("../../apps/client/index.ts");
const { createMiniProgramApi } = await import("../../apps/client/mini_program.ts");

// A server that gives each response the next of these positions. The tests run in order: a position is kept for all
// clients of a page.
const positions = [
  "00000001-00000000/00000010",
  undefined,
  "00000001-00000000/0000000F",
  "00000002-00000000/00000001",
  undefined,
];
const received: (string | undefined)[] = [];
let server: Server;
let functionsUrl: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    received.push(request.headers["store-position"] as string | undefined);
    const position = positions[received.length - 1];
    response
      .writeHead(200, { "content-type": "application/json", ...(position && { "store-position": position }) })
      .end("{}");
  });
  functionsUrl = await listenOnLoopback(server);
});
afterAll(() => stopServer(server));

it("the clients send the newest position that they have received, and nothing before", async () => {
  const { api, admin } = createStore({ functionsUrl });
  const phone = createMiniProgramApi({ functionsUrl, request: new FakeWx().wx.request });
  await api.PUT("/api/user", { body: {} });
  await api.GET("/api/product");
  // An older one, which arrives late.
  await admin.GET("/adminapi/product");
  await phone.GET("/api/product");
  await phone.GET("/api/product");
  expect(received).toEqual([
    undefined,
    "00000001-00000000/00000010",
    "00000001-00000000/00000010",
    "00000001-00000000/00000010",
    "00000002-00000000/00000001",
  ]);
});
