import { createServer, type RequestListener } from "node:http";
import { expect, it } from "vitest";
import { runHttpLoad } from "../../scripts/bench/http/http_load.ts";
import { listenOnLoopback, stopServer } from "../support/loopback_server.ts";

/** Sends 20 requests over three connections to a server of its own. */
async function load(listener: RequestListener) {
  const server = createServer(listener);
  const base = await listenOnLoopback(server);
  try {
    return await runHttpLoad(
      {
        base,
        requests: [
          { path: "/first", token: "t" },
          { path: "/second", method: "POST", body: { name: "名" } },
        ],
      },
      3,
      20,
    );
  } finally {
    await stopServer(server);
  }
}

it("a load sends all its requests in turn, over as many connections as it should", async () => {
  const received: string[] = [];
  const connections = new Set<unknown>();
  const { requestsPerSecond, latency } = await load((request, response) => {
    connections.add(request.socket);
    let body = "";
    request.setEncoding("utf8").on("data", (part) => (body += part));
    request.on("end", () => {
      received.push(`${request.method} ${request.url} ${request.headers.authorization ?? ""} ${body}`);
      // With a length, in chunks, and without a body.
      if (received.length % 3 === 0) response.writeHead(204).end();
      else if (received.length % 3 === 1) response.end("{}");
      else response.write("{", () => response.end("}"));
    });
  });
  expect(received.sort()).toEqual([
    ...Array<string>(10).fill("GET /first Bearer t "),
    ...Array<string>(10).fill('POST /second  {"name":"名"}'),
  ]);
  expect(connections.size).toBe(3);
  expect(requestsPerSecond).toBeGreaterThan(0);
  expect(latency.p99).toBeGreaterThanOrEqual(latency.p50);
});

it("a load fails if a request is rejected, or if a connection is lost", async () => {
  await expect(load((_request, response) => response.writeHead(503).end("{}"))).rejects.toThrow("GET /first: 503");
  await expect(load((request) => request.socket.destroy())).rejects.toThrow("the server closed the connection");
});
