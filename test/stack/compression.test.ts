import { request } from "node:http";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { stack } from "../support/index.ts";

interface Reply {
  encoding: string | undefined;
  vary: string | undefined;
  type: string | undefined;
  body: Buffer;
}

/** Sends a request without decompressing the response, unlike `fetch`. */
function get(url: string, acceptEncoding?: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    request(url, { headers: acceptEncoding ? { "accept-encoding": acceptEncoding } : {} }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () =>
        resolve({
          encoding: response.headers["content-encoding"],
          vary: response.headers.vary,
          type: response.headers["content-type"],
          body: Buffer.concat(chunks),
        }),
      );
    })
      .once("error", reject)
      .end();
  });
}

/** The built files that the first page of the console loads, by file extension. */
async function assetOfConsole(ending: string): Promise<string> {
  const { console_url } = stack();
  const page = (await get(console_url)).body.toString();
  const [name] = page.match(new RegExp(`assets/[^"]+\\.${ending}`)) ?? [];
  return new URL(name!, console_url).href;
}

const served: [what: string, url: () => string | Promise<string>, type: string][] = [
  ["the console's page", () => stack().console_url, "text/html"],
  ["the console's script", () => assetOfConsole("js"), "javascript"],
  ["the console's style sheet", () => assetOfConsole("css"), "text/css"],
  ["the documentation's script", () => `${stack().docs_url}/swagger-ui-bundle.js`, "javascript"],
  ["a response of an edge function", () => `${stack().functions_url}/api/openapi.json`, "application/json"],
];

describe("the gateway", () => {
  it.each(served)("compresses %s only for clients that accept it", async (_what, url, type) => {
    const address = await url();
    const plain = await get(address);
    expect(plain).toMatchObject({
      encoding: undefined,
      vary: expect.stringMatching(/accept-encoding/i),
      type: expect.stringContaining(type),
    });
    const packed = await get(address, "gzip, deflate, br");
    expect(packed).toMatchObject({ encoding: "gzip", type: expect.stringContaining(type) });
    expect(packed.body.length).toBeLessThan(plain.body.length);
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
  });
});
