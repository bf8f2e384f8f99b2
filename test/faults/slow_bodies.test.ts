import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect as connectTo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacking } from "../../scripts/testing/context.ts";
import { HMAC_PAYMENTS } from "../support/hmac_payments.ts";
import {
  cloneDatabase,
  type ClonedDatabase,
  type EdgeFunction,
  serveEdgeFunction,
  skipFor,
  stack,
  testSize,
} from "../support/index.ts";

const BODIES = 500;
const BODY = JSON.stringify({ items: [{ product_id: 999_999, quantity: 1 }] });
/** How often a slow client sends a byte. The body would take longer than it may. */
const BYTE_MS = 400;
const MOST_AT_PEAK_KB = 150 * 1024;
const MOST_ABOVE_WHOLE_KB = 30 * 1024;

let clone: ClonedDatabase;
let token: string;

beforeAll(async () => {
  clone = await cloneDatabase();
  const { supabase_url, jwt_secret } = stack();
  const claims = { sub: randomUUID(), role: "authenticated", aud: "authenticated", iss: `${supabase_url}/auth/v1` };
  token = await new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256" })
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(jwt_secret));
});
afterAll(() => clone?.drop());

/** Sends a request, whose body arrives whole or byte by byte. @returns the status of the response */
function send(port: number, head: string, isWhole: boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connectTo(port, "127.0.0.1");
    let sent = 0;
    const dribble = setInterval(() => {
      if (!isWhole && sent < BODY.length - 1) socket.write(BODY[sent++]!);
    }, BYTE_MS);
    socket.on("error", reject).on("close", () => clearInterval(dribble));
    socket.once("data", (chunk) => {
      resolve(Number(chunk.toString().split(" ")[1]));
      socket.destroy();
    });
    socket.write(
      `${head}\r\nhost: store\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${isWhole ? BODY : ""}`,
    );
  });
}

/** The memory of a function in kB, now or at most. */
const memory = ({ pid }: EdgeFunction, field: "VmRSS" | "VmHWM") =>
  Number(readFileSync(`/proc/${pid}/status`, "utf8").match(new RegExp(`${field}:\\s+(\\d+)`))?.[1]);

/** Sends many bodies to a fresh process, which is idle afterwards. */
async function serveBodies(
  head: string,
  isWhole: boolean,
): Promise<{ statuses: Set<number>; peak: number; afterwards: number }> {
  const api = await serveEdgeFunction("api", clone.url, HMAC_PAYMENTS);
  try {
    const statuses = new Set<number>();
    for (let round = 0; round < testSize.slowBodyRounds; round += 1) {
      for (const status of await Promise.all(Array.from({ length: BODIES }, () => send(api.port, head, isWhole))))
        statuses.add(status);
    }
    const peak = memory(api, "VmHWM");
    await pause(testSize.slowBodyIdleMs);
    return { statuses, peak, afterwards: memory(api, "VmRSS") };
  } finally {
    await api.stop();
  }
}

skipFor(describe, lacking("linux"))("bodies that arrive slowly", () => {
  // Guarantee faults/load-slow-bodies: Bodies that arrive slowly take bounded memory
  // By: a limit of bodies that arrive at once, functions/_shared/http/read_body.ts
  it.each([
    ["without a token", () => "POST /api/pay/notify/hmac HTTP/1.1"],
    ["with a token", () => `POST /api/order HTTP/1.1\r\nauthorization: Bearer ${token}`],
  ])(
    "%s take little memory, and keep no more than bodies that arrive at once",
    { timeout: 900_000 },
    async (_, head) => {
      const [slow, whole] = await Promise.all([serveBodies(head(), false), serveBodies(head(), true)]);
      expect(slow.statuses).toEqual(new Set([408]));
      expect(whole.statuses).not.toContain(408);
      expect.soft(slow.peak).toBeLessThan(MOST_AT_PEAK_KB);
      expect(slow.afterwards - whole.afterwards).toBeLessThan(MOST_ABOVE_WHOLE_KB);
    },
  );
});
