import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Event, Result, Start } from "../../kit/format.ts";
import type { About } from "../../kit/run.ts";
import { host } from "../../scripts/ground/ports.ts";

/** What drives a store for the vectors of the rules. */
export interface Adapter {
  about: About;
  start(store: Start): Promise<void>;
  /** @returns whether the store has refused it */
  happen(event: Event): Promise<boolean>;
  result(): Promise<Result>;
}

/** Serves an adapter over HTTP (kit/README.md). @returns its address, and how to stop it */
export async function serveAdapter(adapter: Adapter): Promise<{ url: string; stop: () => Promise<void> }> {
  const answer = async (path: string, body: unknown): Promise<unknown> => {
    if (path === "/") return adapter.about;
    if (path === "/start") return (await adapter.start(body as Start), {});
    if (path === "/event") return { refused: await adapter.happen(body as Event) };
    return adapter.result();
  };
  const server = createServer((request, response) => {
    bodyOf(request)
      .then((body) => answer(request.url!, body))
      .then(
        (result) => response.end(JSON.stringify(result)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const text = Buffer.concat(await request.toArray()).toString();
  return text === "" ? undefined : JSON.parse(text);
}
