import { EventEmitter, once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { Page } from "playwright-core";
import { listenOnLoopback, stopServer } from "../support/loopback_server.ts";

/** A server between a page and the store that holds back the last byte of a file. */
export interface HoldingRelay {
  /** The number of bytes that were passed on, as soon as the last one is held back. */
  held(): Promise<number>;
  /** Closes the connection without the last byte. */
  breakOff(): Promise<void>;
  /** Resolves when the page has closed the connection. */
  closed(): Promise<unknown>;
  /** From now on, the page gets its files from the store. */
  stop(): Promise<void>;
}

/** Fields that describe the connection or the encoding of the original message. */
const OF_THE_CONNECTION = [
  "host",
  "connection",
  "accept-encoding",
  "content-encoding",
  "content-length",
  "transfer-encoding",
  "keep-alive",
];

/** Relays the next request of a page that matches a pattern. */
export async function holdLastByte(page: Page, pattern: string): Promise<HoldingRelay> {
  const events = new EventEmitter();
  const held = once(events, "held") as Promise<[bytes: number, response: ServerResponse]>;
  const closed = once(events, "closed");
  let origin = "";
  const server = createServer((request, response) => {
    const relayed = async () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(([name]) => !OF_THE_CONNECTION.includes(name)),
      ) as Record<string, string>;
      const answer = await fetch(`${origin}${request.url}`, { headers });
      const file = Buffer.from(await answer.arrayBuffer());
      answer.headers.forEach((value, name) => {
        if (!OF_THE_CONNECTION.includes(name)) response.setHeader(name, value);
      });
      response.writeHead(answer.status);
      response.on("close", () => events.emit("closed"));
      response.write(file.subarray(0, -1), () => events.emit("held", file.length - 1, response));
    };
    relayed().catch(() => response.destroy());
  });
  const relay = await listenOnLoopback(server);
  await page.route(pattern, (route) => {
    const address = new URL(route.request().url());
    origin = address.origin;
    return route.continue({ url: `${relay}${address.pathname}${address.search}` });
  });
  return {
    held: async () => (await held)[0],
    breakOff: async () => void (await held)[1].destroy(),
    closed: () => closed,
    async stop() {
      await page.unroute(pattern);
      await stopServer(server);
    },
  };
}
