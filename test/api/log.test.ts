import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EdgeFunction, serveEdgeFunction, stack } from "../support/index.ts";
import { type Account, accountIdOf, addProduct, call, setPhone, signUp } from "./client.ts";

/** What people have entered, and what lets somebody in. None of it belongs in a log. */
const PRIVATE = {
  nickname: "Lin of the log",
  phone: "13812345678",
  street: "17 Log Road",
  remark: "Ring twice",
  keyword: "13898765432",
};

interface Line {
  level: string;
  msg: string;
  service: string;
  request_id: string;
  route?: string;
  caller?: string;
  order?: string;
  status?: number;
  code?: string;
}

let api: EdgeFunction;
let member: Account;
let accountId: string;
let order: number;

const lines = () =>
  api
    .log()
    .split("\n")
    .filter((text) => text.startsWith("{"))
    .map((text) => JSON.parse(text) as Line);
/** The line of a request, which is written after its response. */
const lineOf = async (id: string) => {
  await expect.poll(() => lines().some(({ request_id, msg }) => request_id === id && msg === "request")).toBe(true);
  return lines().find(({ request_id, msg }) => request_id === id && msg === "request")!;
};
const request = async (method: string, path: string, json?: object, headers: Record<string, string> = {}) => {
  const id = randomUUID();
  const reply = await call(method, path, {
    token: member.token,
    base: api.base,
    ...(json && { json }),
    init: { headers: { "x-request-id": id, ...headers } },
  });
  return { reply, line: await lineOf(id) };
};

beforeAll(async () => {
  api = await serveEdgeFunction("api", stack().database_url, {});
  member = await signUp(PRIVATE.nickname);
  await setPhone(member, PRIVATE.phone);
  accountId = accountIdOf(member);
});
afterAll(() => api.stop());

describe("the log of an edge function", () => {
  it("names request, route, caller and the order that was placed", async () => {
    const product = await addProduct("Of the log", "10.00", true);
    const address = { name: PRIVATE.nickname, phone: PRIVATE.phone, region: ["Guangdong"], street: PRIVATE.street };
    const { reply, line } = await request("POST", "/api/order", {
      items: [{ product_id: product, quantity: 1 }],
      address,
      remark: PRIVATE.remark,
    });
    expect(reply.status, reply.text).toBe(201);
    order = reply.body.id;
    expect(line).toMatchObject({
      level: "info",
      service: "api",
      route: "/api/order",
      caller: accountId,
      order: String(order),
      status: 201,
    });
  });

  it("names the order of the path, also where the request fails", async () => {
    expect((await request("GET", `/api/order/${order}`)).line).toMatchObject({
      route: "/api/order/{id}",
      order: String(order),
      status: 200,
    });
    expect((await request("GET", "/api/order/900000000000001")).line).toMatchObject({
      order: "900000000000001",
      status: 404,
      code: "order_not_found",
    });
    expect((await request("GET", `/api/order/${PRIVATE.keyword}x`)).line.order).toBeUndefined();
  });

  it("names the request in the lines of what it does in the background or at a provider", async () => {
    const failing = await serveEdgeFunction("api", stack().database_url, {
      STORE_WORKER_SECRET: "x".repeat(24),
      STORE_FUNCTIONS_URL: "http://127.0.0.1:1",
    });
    const id = randomUUID();
    const cancelled = await call("PUT", `/api/order/${order}/cancel`, {
      token: member.token,
      base: failing.base,
      init: { headers: { "x-request-id": id } },
    });
    expect(cancelled.status).toBe(200);
    await expect.poll(() => failing.log()).toContain("background work failed");
    const line = failing
      .log()
      .split("\n")
      .filter((text) => text.includes("background work failed"))
      .map((text) => JSON.parse(text) as Line)[0];
    expect(line).toMatchObject({
      level: "error",
      service: "api",
      request_id: id,
      caller: accountId,
      order: String(order),
      work: "worker",
    });
    await failing.stop();
  });

  it("contains no token, name, phone number, address or text of a person", async () => {
    await request("GET", `/api/spread/people?keyword=${PRIVATE.keyword}&depth=direct`);
    await request("GET", "/api/user");
    await request("PUT", "/api/user", { nickname: PRIVATE.nickname });
    const rejected = randomUUID();
    await call("GET", "/api/user", {
      token: `${member.token}x`,
      base: api.base,
      init: { headers: { "x-request-id": rejected } },
    });
    expect(await lineOf(rejected)).toMatchObject({ status: 401, code: "invalid_token" });
    expect((await lineOf(rejected)).caller).toBeUndefined();
    const text = api.log();
    for (const secret of [...Object.values(PRIVATE), ...member.token.split("."), member.email])
      expect(text).not.toContain(secret);
  });
});
