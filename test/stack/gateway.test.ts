import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { startGateway } from "../../scripts/stack/gateway.ts";
import { stack } from "../support/index.ts";

/** Calls the gateway with a given Host header, which `fetch` does not support. */
function statusUnder(host: string, path: string): Promise<number> {
  const { hostname, port } = new URL(stack().supabase_url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers: { host } }, (response) => resolve(response.resume().statusCode!))
      .once("error", reject)
      .end();
  });
}

describe("the gateway", () => {
  it.each([
    "/console/",
    "/h5/",
    "/docs",
    "/functions/v1/api/health",
    "/console/config.json",
    "/h5/config.json",
    "/demo/pictures/gift-350-0.svg",
  ])("serves %s only under host names of this machine", async (path) => {
    const { port } = new URL(stack().supabase_url);
    for (const host of ["127.0.0.1", `127.0.0.1:${port}`, `localhost:${port}`, "LOCALHOST", `[::1]:${port}`]) {
      expect([host, await statusUnder(host, path)]).toEqual([host, 200]);
    }
    for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1.evil.example", "localhost.evil.example:80"]) {
      expect([host, await statusUnder(host, path)]).toEqual([host, 421]);
    }
  });

  it("whose port is taken says which one, and how to choose another", async () => {
    const port = Number(new URL(stack().supabase_url).port);
    await expect(startGateway(port, [], { sites: [], publishableKey: "" })).rejects.toMatchObject({
      message: `Port ${port} is in use by another program.`,
      advice: `Stop that program, or choose another port: PORT=${port + 100} npm start`,
    });
  });
});

describe("a share link", () => {
  it("leads to the H5 app and keeps the referrer", async () => {
    const { supabase_url, h5_url } = stack();
    const reply = await fetch(`${supabase_url}/h5?spread=10001`);
    expect(reply.url).toBe(`${h5_url}?spread=10001`);
    expect(reply.headers.get("content-type")).toContain("text/html");
  });
});

describe("the page of a shared link", () => {
  it("is beside the H5 app, which knows of it", async () => {
    const { h5_url } = stack();
    expect(await (await fetch(`${h5_url}config.json`)).json()).toMatchObject({ share_pages: true });
    expect(await (await fetch(`${h5_url}p/`)).text()).toContain(`<meta property="og:url" content="${h5_url}p/">`);
    expect((await fetch(`${h5_url}p/900000000000001/`)).status).toBe(404);
  });
});

describe("the pictures of the demo products", () => {
  it("exist for every kind of product, and contain no script", async () => {
    const picture = await fetch(`${stack().supabase_url}/demo/pictures/tin-105-1.svg`);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
    expect(picture.headers.get("content-security-policy")).toContain("sandbox");
    for (const file of ["tin-105-3.svg", "sword-105-0.svg", "tin-1050-0.svg", "tin.svg"])
      expect((await fetch(`${stack().supabase_url}/demo/pictures/${file}`)).status).toBe(404);
  });
});

describe.each([
  ["console", () => stack().console_url],
  ["H5 app", () => stack().h5_url],
])("the built %s", (_name, url) => {
  it("includes its content security policy for any host: first in the page, and as a headers file", async () => {
    const page = (await (await fetch(url())).text()).replaceAll("&#39;", "'");
    const [, first] = page.match(/<head>\s*(<[^>]+>)/)!;
    expect(first).toMatch(
      /^<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; .*connect-src 'self' https: http:; /,
    );
    const headers = await (await fetch(new URL("_headers", url()))).text();
    expect(headers).toContain("frame-ancestors 'none'");
    expect(headers).toMatch(/^\/\*\n {2}Content-Security-Policy: default-src 'none'; script-src 'self'; /);
  });
});
