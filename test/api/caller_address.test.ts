import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { callerAddress } from "../../functions/_shared/access/caller_address.ts";

/** The address of the caller of a request with these headers. */
async function addressOf(headers: Record<string, string>, env: Record<string, string> = {}): Promise<string> {
  const app = new Hono().get("/", (c) => c.text(callerAddress(c, new Map(Object.entries(env))) ?? "none"));
  return (await app.request("/", { headers })).text();
}

const hosted = { SB_REGION: "ap-southeast-1" };

describe("the address of a caller", () => {
  it("is that which Supabase's gateway reports", async () => {
    expect(await addressOf({ "cf-connecting-ip": "203.0.113.7", "x-forwarded-for": "192.0.2.1" }, hosted)).toBe(
      "203.0.113.7",
    );
    expect(await addressOf({ "x-forwarded-for": "203.0.113.7, 192.0.2.1" }, hosted)).toBe("203.0.113.7");
  });

  it("is not what a caller writes where there is no such gateway", async () => {
    expect(await addressOf({ "cf-connecting-ip": "203.0.113.7" })).toBe("none");
    expect(await addressOf({ "cf-connecting-ip": "203.0.113.7", "x-forwarded-for": "203.0.113.8, 192.0.2.1" })).toBe(
      "192.0.2.1",
    );
  });

  it("is unknown if it is no address", async () => {
    expect(await addressOf({ "x-forwarded-for": "somebody" })).toBe("none");
    expect(await addressOf({})).toBe("none");
  });
});
