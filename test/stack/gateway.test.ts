import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { stack } from "../support/index.ts";

/** Calls the gateway with a given Host header, which `fetch` does not support. */
function statusUnder(host: string, path: string): Promise<number> {
  const { hostname, port } = new URL(stack().supabase_url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers: { host } }, (response) => resolve(response.resume().statusCode!)).once("error", reject).end();
  });
}

describe("the gateway", () => {
  it.each(["/console/", "/docs", "/functions/v1/api/health", "/console/config.json"])("serves %s only under host names of this machine", async (path) => {
    const { port } = new URL(stack().supabase_url);
    for (const host of ["127.0.0.1", `127.0.0.1:${port}`, `localhost:${port}`, "LOCALHOST", `[::1]:${port}`]) {
      expect([host, await statusUnder(host, path)]).toEqual([host, 200]);
    }
    for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1.evil.example", "localhost.evil.example:80"]) {
      expect([host, await statusUnder(host, path)]).toEqual([host, 421]);
    }
  });
});

describe("the built console", () => {
  it("includes its content security policy for any host: first in the page, and as a headers file", async () => {
    const { console_url } = stack();
    const page = (await (await fetch(console_url)).text()).replaceAll("&#39;", "'");
    const [, first] = page.match(/<head>\s*(<[^>]+>)/)!;
    expect(first).toMatch(/^<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; .*connect-src 'self' https:; /);
    const headers = await (await fetch(new URL("_headers", console_url))).text();
    expect(headers).toContain("frame-ancestors 'none'");
    expect(headers).toMatch(/^\/\*\n {2}Content-Security-Policy: default-src 'none'; script-src 'self'; /);
  });
});
