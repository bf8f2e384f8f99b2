import { describe, expect, it } from "vitest";
import { stack } from "../support/index.ts";
import { call, expectProblem, routes, signUp, signUpAdmin } from "./client.ts";

describe("the edge functions", () => {
  it.each(["/api/nothing", "/adminapi/nothing", "/api", "/api/order/1/2/3"])("have no endpoint %s", async (path) => {
    expectProblem(await call("GET", path), "route_not_found");
  });

  it("return Chinese problems to clients that prefer Chinese", async () => {
    const title = async (language: string) => {
      const reply = await call("GET", "/api/user", { init: { headers: { "accept-language": language } } });
      return [reply.headers.get("content-language"), reply.body.title];
    };
    expect(await title("zh-CN,zh;q=0.9,en;q=0.8")).toEqual(["zh", "需要登录"]);
    expect(await title("en;q=0.9,zh;q=0.1")).toEqual(["en", "Sign-in is required"]);
    expect(await title("fr")).toEqual(["en", "Sign-in is required"]);
  });

  it("return validation errors in the preferred language", async () => {
    const { token } = await signUpAdmin("Chinese office");
    const chinese = { token, init: { headers: { "accept-language": "zh-CN" } } };
    const plan = await call("PUT", "/adminapi/hjf/brokerage/config", {
      ...chinese,
      json: { people_per_cycle: 3, tier_ratios: [0.2, 0.3] },
    });
    expectProblem(plan, "plan_invalid");
    expect(plan.body.detail).toBe("方案不符合要求：每个人对应一个比例。");
    const list = await call("GET", "/adminapi/order?page=x&surprise=1", chinese);
    expectProblem(list, "invalid_argument");
    expect(list.body.detail).toBe("请更正标出的内容后重试。");
    expect(
      list.body.errors.map(({ pointer, detail }: { pointer: string; detail: string }) => [pointer, detail]),
    ).toEqual([
      ["/page", "请输入整数。"],
      ["/surprise", "该接口没有这个参数。"],
    ]);
  });

  it.each([
    ["zh-CN", ["请填写此项。", "请输入正确的手机号。", "至少 1 项。", "请填写此项。"]],
    ["en", ["Fill this in.", "Enter a valid phone number.", "Send at least 1.", "Fill this in."]],
  ])("say what to enter, and name no type (%s)", async (language, details) => {
    const { token } = await signUp("Careless typist");
    const { body } = await call("POST", "/api/address", {
      token,
      json: { name: "", phone: "12ab", region: [] },
      init: { headers: { "accept-language": language } },
    });
    expect(body.errors.map(({ detail }: { detail: string }) => detail)).toEqual(details);
  });

  it.each([
    ["zh-CN", "请从以下值中选择：none、administrator、provider。"],
    ["en", "Choose one of these values: none, administrator, provider."],
  ])("name the values of a choice (%s)", async (language, detail) => {
    const { token } = await signUpAdmin("Guessing program");
    const init = { headers: { "accept-language": language } };
    const { body } = await call("PUT", "/adminapi/system/settings", {
      token,
      json: { real_name_check: "people" },
      init,
    });
    expect(body.errors).toEqual([{ in: "body", pointer: "/real_name_check", detail }]);
  });

  it.each([
    ["zh-CN", "应为 0.01 到 999999.99 的数字，最多 2 位小数。", "不得低于最低金额 20.00。"],
    [
      "en",
      "Expected a number from 0.01 to 999999.99 with at most 2 decimals.",
      "Expected at least the smallest amount, 20.00.",
    ],
  ])("name every field that only the database refuses (%s)", async (language, rate, maximum) => {
    const { token } = await signUpAdmin("Precise accountant");
    const init = { headers: { "accept-language": language } };
    const json = { points_rate: 1.001, withdrawal_minimum: "20.00", withdrawal_maximum: "19.00" };
    const { body } = await call("PUT", "/adminapi/system/settings", { token, json, init });
    expect(body.errors).toEqual([
      { in: "body", pointer: "/points_rate", detail: rate },
      { in: "body", pointer: "/withdrawal_maximum", detail: maximum },
    ]);
  });

  it("keep the client's request id if it is valid", async () => {
    const id = async (given: string) =>
      (await call("GET", "/api/health", { init: { headers: { "x-request-id": given } } })).headers.get("x-request-id");
    expect(await id("trace-1_a")).toBe("trace-1_a");
    expect(await id("two words; drop")).not.toContain("drop");
  });

  it("allow cross-origin requests from any origin", async () => {
    const { functions_url } = stack();
    const preflight = await fetch(`${functions_url}/adminapi/order/1/pay`, {
      method: "OPTIONS",
      headers: {
        origin: "https://console.example.com",
        "access-control-request-method": "PUT",
        "access-control-request-headers": "authorization,content-type,apikey,x-client-info",
      },
    });
    expect(preflight.ok).toBe(true);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-methods")).toContain("PUT");
    for (const header of ["authorization", "content-type", "apikey", "x-client-info", "idempotency-key"]) {
      expect(preflight.headers.get("access-control-allow-headers")).toContain(header);
    }
    const rejected = await call("GET", "/api/user", { init: { headers: { origin: "https://console.example.com" } } });
    expect(rejected.headers.get("access-control-allow-origin")).toBe("*");
  });

  it("send security headers with every response", async () => {
    const { headers } = await call("GET", "/api/product");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  it("respond to HEAD like GET, without a body", async () => {
    expect(await call("HEAD", "/api/health")).toMatchObject({ status: 200, text: "" });
  });

  it("describe every route in OpenAPI 3.1", async () => {
    const documents = await Promise.all(
      ["api", "adminapi", "mcp", "picture", "poster", "worker"].map((name) => call("GET", `/${name}/openapi.json`)),
    );
    const described = documents.flatMap(({ body }) => {
      expect(body.openapi).toBe("3.1.0");
      return Object.entries(body.paths).flatMap(([path, methods]) =>
        Object.keys(methods as object).map((method) => `${method} ${path}`),
      );
    });
    expect(described.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
  });
});

describe("system metadata", () => {
  it("is public, with more details for administrators", async () => {
    const { body } = await call("GET", "/api/system/metadata");
    expect(body).toMatchObject({ name: "referral-commission-store", api_version: "1" });
    const admin = await signUpAdmin("Operator");
    const full = (await call("GET", "/adminapi/system/metadata", { token: admin.token })).body;
    expect(full).toMatchObject({ ...body, status: "ok" });
    expect(full.runtime).toMatch(/^Deno\//);
  });
});
