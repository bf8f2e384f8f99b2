import { once } from "node:events";
import { createServer, type RequestListener, request } from "node:http";
import { describe, expect, it } from "vitest";
import { freePort } from "../../scripts/ground/ports.ts";
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
    for (const host of [
      "evil.example",
      `evil.example:${port}`,
      "127.0.0.1.evil.example",
      "localhost.evil.example:80",
    ]) {
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

describe("a request to a server behind the gateway", () => {
  /** Calls the gateway in front of a server, or of none. */
  async function behindGateway(
    listener: RequestListener | undefined,
    work: (address: string) => Promise<void>,
  ): Promise<void> {
    const [port, upstream] = [await freePort(), await freePort()];
    const server = listener && createServer(listener).listen(upstream, "127.0.0.1");
    const stop = await startGateway(port, [{ prefix: "/part", port: upstream, strip: "" }], {
      sites: [],
      publishableKey: "",
    });
    try {
      await work(`http://127.0.0.1:${port}/part`);
    } finally {
      await stop();
      server?.close().closeAllConnections();
    }
  }

  it("that does not run gets a problem, again and again", () =>
    behindGateway(undefined, async (address) => {
      for (const method of ["GET", "POST", "GET"]) {
        const reply = await fetch(address, { method });
        expect([reply.status, await reply.json()]).toEqual([
          502,
          expect.objectContaining({ code: "upstream_unreachable" }),
        ]);
      }
    }));

  it("arrives with its body and the address that was called, and its response as it is", () =>
    behindGateway(
      (incoming, outgoing) => {
        outgoing.writeHead(418, {
          "set-cookie": ["a=1", "b=2"],
          "x-called": String(incoming.headers["x-forwarded-host"]),
        });
        incoming.pipe(outgoing);
      },
      async (address) => {
        const reply = await fetch(`${address}/x?y=1`, { method: "DELETE", body: "text" });
        expect([reply.status, reply.headers.getSetCookie(), await reply.text()]).toEqual([418, ["a=1", "b=2"], "text"]);
        expect(reply.headers.get("x-called")).toBe(new URL(address).host);
      },
    ));

  it("is answered before all of it has arrived, and ends at the server when the client goes", async () => {
    let ended = 0;
    await behindGateway(
      (incoming, outgoing) => {
        incoming.socket.once("close", () => (ended += 1));
        if (incoming.url === "/part/refuse") outgoing.writeHead(413).end("refused");
      },
      async (address) => {
        const refused = request(`${address}/refuse`, { method: "POST", headers: { "content-length": 1_000 } });
        refused.once("error", () => undefined).write("part");
        const [response] = await once(refused, "response");
        expect(response.statusCode).toBe(413);
        refused.destroy();
        const gone = new AbortController();
        const silent = fetch(address, { signal: gone.signal }).catch((error: Error) => error.name);
        setTimeout(() => gone.abort(), 200);
        expect(await silent).toBe("AbortError");
        await expect.poll(() => ended).toBe(2);
      },
    );
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
