import { connect as connectTo, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { HMAC_PAYMENTS } from "../support/hmac_payments.ts";
import { cloneDatabase, type ClonedDatabase, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { call } from "./client.ts";

const SOCKETS = 400;
const MAX_UNFINISHED = 256;

let clone: ClonedDatabase;
let served: EdgeFunction;

beforeAll(async () => {
  clone = await cloneDatabase();
  served = await serveEdgeFunction("api", clone.url, HMAC_PAYMENTS);
});
afterAll(async () => {
  await served?.stop();
  await clone?.drop();
});

/** Sends a request whose body never ends. @returns the status and the time of the response */
function dribble(length: string): { socket: Socket; reply: Promise<{ status: number; body: string; ms: number }> } {
  const socket = connectTo(served.port, "127.0.0.1");
  const start = performance.now();
  const reply = new Promise<{ status: number; body: string; ms: number }>((resolve, reject) => {
    let text = "";
    socket
      .setEncoding("utf8")
      .on("error", reject)
      .on("close", () => reject(new Error(`closed after: ${text}`)));
    socket.on("data", (chunk: string) => {
      text += chunk;
      const body = text.split("\r\n\r\n")[1];
      if (body?.includes("}")) resolve({ status: Number(text.split(" ")[1]), body, ms: performance.now() - start });
    });
  });
  socket.write(`POST /api/pay/notify/hmac HTTP/1.1\r\nhost: store\r\ncontent-type: application/json\r\n${length}\r\n\r\n`);
  return { socket, reply };
}

it.each([
  ["of a declared length", "content-length: 100"],
  ["in chunks", "transfer-encoding: chunked"],
])(
  "a body %s that never ends is aborted after ten seconds or when too many are pending, and delays no other request",
  async (_kind, length) => {
    const requests = Array.from({ length: SOCKETS }, () => dribble(length));
    const others = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const start = performance.now();
        const { body } = await call("POST", "/api/pay/notify/hmac", { json: {}, base: served.base });
        return { code: body.message, ms: performance.now() - start };
      }),
    );
    const replies = await Promise.all(requests.map(({ reply }) => reply));
    requests.forEach(({ socket }) => socket.destroy());

    expect(others.map(({ code }) => code)).toEqual(Array(5).fill("signature_invalid"));
    expect(Math.max(...others.map(({ ms }) => ms))).toBeLessThan(10_000);
    for (const { status, body } of replies) expect([status, body]).toEqual([408, expect.stringContaining('"code":"body_timeout"')]);
    const waited = replies.filter(({ ms }) => ms >= 9_900);
    expect(waited.length).toBeGreaterThan(0);
    expect(waited.length).toBeLessThanOrEqual(MAX_UNFINISHED);
  },
);
