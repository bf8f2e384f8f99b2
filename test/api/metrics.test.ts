import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EdgeFunction, serveEdgeFunction, stack } from "../support/index.ts";
import { addProduct, call, expectProblem, signUp, signUpAdmin } from "./client.ts";

const TOKEN = "the-token-of-a-monitoring-system";
const metrics = "/adminapi/metrics";
let served: EdgeFunction;
let base: string;

beforeAll(async () => {
  served = await serveEdgeFunction("adminapi", stack().database_url, { STORE_METRICS_TOKEN: TOKEN });
  base = served.base;
});
afterAll(() => served.stop());

const scrape = (token: string, from = base) => call("GET", metrics, { base: from, token });

describe("GET /adminapi/metrics", () => {
  it("returns the measures in the text format of Prometheus", async () => {
    const { status, headers, text } = await scrape(TOKEN);
    expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
      "no-store",
    ]);
    for (const measure of [
      'settlement_jobs{state="waiting"}',
      "settlement_oldest_seconds",
      'outbox_rows{state="failed"}',
      "outbox_overdue_seconds",
      "release_unfinished_days",
      "scheduler_ok",
      'scheduled_job_late{job="reconcile_bill"}',
    ]) {
      expect(text).toMatch(new RegExp(`^store_${measure.replace(/[{}]/g, "\\$&")} \\d`, "m"));
    }
  });

  it("shows no member and no order", async () => {
    const member = await signUp("Nobody in metrics");
    const product = await addProduct("Of the metrics", "10.00", true);
    await call("POST", "/api/order", { token: member.token, json: { items: [{ product_id: product, quantity: 1 }] } });
    const { text } = await scrape(TOKEN);
    expect(text).not.toContain("Nobody in metrics");
    expect(text).not.toMatch(/uid|order=|nickname/);
  });

  it("rejects everybody else: no token, another token, members and administrators", async () => {
    const [member, admin] = await Promise.all([signUp("No scraper"), signUpAdmin("No scraper either")]);
    expectProblem(await call("GET", metrics, { base }), "unauthenticated");
    expectProblem(await call("GET", metrics, { base, token: `${TOKEN}x` }), "invalid_token");
    expectProblem(await call("GET", metrics, { base, token: member.token }), "forbidden");
    expectProblem(await call("GET", metrics, { base, token: admin.token }), "forbidden");
  });

  it("does not accept the token for other endpoints", async () => {
    for (const path of ["/adminapi/overview", "/adminapi/system/metadata"])
      expectProblem(await call("GET", path, { base, token: TOKEN }), "invalid_token");
  });

  it("is closed without STORE_METRICS_TOKEN, and with one that could be guessed", async () => {
    expect((await scrape("", stack().functions_url)).status).toBe(401);
    const weak = await serveEdgeFunction("adminapi", stack().database_url, { STORE_METRICS_TOKEN: "secret" });
    expect((await scrape("secret", weak.base)).status).toBe(401);
    await weak.stop();
  });
});
