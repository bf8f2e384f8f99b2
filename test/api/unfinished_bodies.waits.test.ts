import { connect as connectTo, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { HMAC_PAYMENTS } from "../support/hmac_payments.ts";
import { cloneDatabase, type ClonedDatabase, type EdgeFunction, serveEdgeFunction, stack } from "../support/index.ts";
import { plainPng } from "../support/wechat/fake_wechat.ts";
import { type Account, call, signUp } from "./client.ts";

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
  socket.write(
    `POST /api/pay/notify/hmac HTTP/1.1\r\nhost: store\r\ncontent-type: application/json\r\n${length}\r\n\r\n`,
  );
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
    for (const { status, body } of replies)
      expect([status, body]).toEqual([408, expect.stringContaining('"code":"body_timeout"')]);
    const waited = replies.filter(({ ms }) => ms >= 9_900);
    expect(waited.length).toBeGreaterThan(0);
    expect(waited.length).toBeLessThanOrEqual(MAX_UNFINISHED);
  },
);

/** An upload that begins now, and can be ended. */
function beginUpload(base: string, { token }: Account, file: Buffer) {
  const half = file.length >> 1;
  let send!: (part: Uint8Array | undefined) => void;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = (part) => (part ? controller.enqueue(part) : controller.close());
      send(file.subarray(0, half));
    },
  });
  const reply = call("POST", "/picture/avatar", { token, base, init: { body, duplex: "half" } as RequestInit });
  const end = () => {
    send(file.subarray(half));
    send(undefined);
  };
  return { reply, end };
}

// Guarantee access/uploads-slow: Slow uploads end no upload of others: of too many at once, the oldest of the account
// with most is ended
// By: functions/_shared/http/read_body.ts
it("a member's slow uploads end each other, and those of nobody else", async () => {
  const MAX_UPLOADS = 8;
  const picture = await serveEdgeFunction("picture", stack().database_url, {});
  try {
    const [patient, busy] = await Promise.all([signUp("Patient"), signUp("Busy")]);
    const file = plainPng(200, 30, 30, 60);
    // The oldest of all, and not the oldest of the one who has most.
    const first = beginUpload(picture.base, patient, file);
    const others = Array.from({ length: 3 * MAX_UPLOADS }, () => beginUpload(picture.base, busy, file));
    const ended = others.map(({ reply }) => reply.then(({ status }) => status));
    // All but as many as there are places left.
    let timedOut = 0;
    for (const status of ended) void status.then((each) => (timedOut += each === 408 ? 1 : 0));
    await expect.poll(() => timedOut).toBe(others.length - (MAX_UPLOADS - 1));
    first.end();
    expect((await first.reply).status).toBe(201);
    for (const { end } of others) end();
    expect((await Promise.all(ended)).filter((status) => status === 201)).toHaveLength(MAX_UPLOADS - 1);
  } finally {
    await picture.stop();
  }
});
