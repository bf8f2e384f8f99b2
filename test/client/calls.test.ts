import { beforeEach, expect, it, vi } from "vitest";

// A client keeps the position of the store for its page. Test files of one worker share modules, so this one loads its
// own.
vi.resetModules();
const { createStore, StoreError, unwrap } = await import("../../apps/client/index.ts");

let sent: Request;
let response: Response;
const { api, admin } = createStore({
  functionsUrl: "http://store.test/functions/v1/",
  accessToken: () => "of-a-member",
  fetch: async (request) => {
    sent = request;
    return response.clone();
  },
});
beforeEach(() => {
  response = Response.json({});
});

it("a call encodes its parameters and leaves out those that are undefined", async () => {
  await admin.GET("/adminapi/user", { params: { query: { search: "林 & 1=1", sort: undefined, limit: 0 } } });
  expect(sent.url).toBe(
    `http://store.test/functions/v1/adminapi/user?search=${encodeURIComponent("林 & 1=1")}&limit=0`,
  );
  await admin.POST("/adminapi/system/crontab/{name}/run", { params: { path: { name: "../a" } }, body: {} });
  expect(sent.url).toBe("http://store.test/functions/v1/adminapi/system/crontab/..%2Fa/run");
});

it("a call sends its body as JSON, and the headers of the client unless the call has others", async () => {
  await api.PUT("/api/user", { body: { nickname: "Lin" }, headers: { "Idempotency-Key": "one" } });
  expect([sent.method, await sent.json()]).toEqual(["PUT", { nickname: "Lin" }]);
  expect(Object.fromEntries(sent.headers)).toEqual({
    authorization: "Bearer of-a-member",
    "content-type": "application/json",
    "idempotency-key": "one",
  });
  await api.GET("/api/user", { headers: { authorization: undefined } });
  expect(Object.fromEntries(sent.headers)).toEqual({});
});

it("a call leaves a file to its caller, but not the error instead of a file", async () => {
  const month = { params: { query: { month: "2026-10" } }, parseAs: "stream" as const };
  response = new Response("a,b\n");
  expect(await new Response(await unwrap(api.GET("/api/statement/csv", month))).text()).toBe("a,b\n");
  response = Response.json({ code: "month_closed", detail: "…" }, { status: 409 });
  await expect(unwrap(api.GET("/api/statement/csv", month))).rejects.toThrow(StoreError);
});

it.each([200, 502])("a call throws for a page of a proxy with status %i", async (status) => {
  response = new Response("<!doctype html>", { status });
  await expect(api.GET("/api/user")).rejects.not.toBeInstanceOf(StoreError);
});
