import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EdgeFunction, serveEdgeFunction, stack } from "../support/index.ts";
import { listenOnLoopback } from "../support/loopback_server.ts";
import { accountIdOf, call, signUp } from "./client.ts";

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string } }[];
  status: { code: number };
}

interface Export {
  resourceSpans: { resource: { attributes: Span["attributes"] }; scopeSpans: { spans: Span[] }[] }[];
}

const received: Export[] = [];

/** A collector of OpenTelemetry: it takes exports as OTLP over HTTP, in JSON. */
const collector = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    if (request.url === "/v1/traces") received.push(JSON.parse(Buffer.concat(chunks).toString()) as Export);
    response.setHeader("content-type", "application/json");
    response.end("{}");
  });
});

const valueOf = (attributes: Span["attributes"], key: string) =>
  attributes.find((attribute) => attribute.key === key)?.value.stringValue;
const spans = () =>
  received.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
const inTrace = (traceId: string) => spans().filter((span) => span.traceId === traceId);

let environment: Record<string, string>;
let api: EdgeFunction;

beforeAll(async () => {
  environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: await listenOnLoopback(collector),
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_BSP_SCHEDULE_DELAY: "100",
  };
  api = await serveEdgeFunction("api", stack().database_url, { OTEL_DENO: "true", ...environment });
});
afterAll(async () => {
  await api.stop();
  collector.close();
});

describe("traces", () => {
  it("arrive at a collector, with route, request, caller and the call of the database, in the trace of the client", async () => {
    const member = await signUp("Traced");
    const accountId = accountIdOf(member);
    const traceId = randomUUID().replaceAll("-", "");
    const id = randomUUID();
    const { status } = await call("GET", "/api/order/900000000000001", {
      token: member.token,
      base: api.base,
      init: { headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, "x-request-id": id } },
    });
    expect(status).toBe(404);
    await expect.poll(() => inTrace(traceId).length).toBeGreaterThanOrEqual(2);
    const [request] = inTrace(traceId).filter(({ parentSpanId }) => parentSpanId === "00f067aa0ba902b7");
    expect(request).toMatchObject({ name: "GET /api/order/{id}" });
    expect(
      ["http.route", "store.request_id", "store.caller", "store.order"].map((key) => valueOf(request!.attributes, key)),
    ).toEqual(["/api/order/{id}", id, accountId, "900000000000001"]);
    const [database] = inTrace(traceId).filter(({ parentSpanId }) => parentSpanId === request!.spanId);
    expect(database).toMatchObject({ name: "api.get_order", status: { code: 2 } });
    expect(
      received.flatMap(({ resourceSpans }) =>
        resourceSpans.map(({ resource }) => valueOf(resource.attributes, "service.name")),
      ),
    ).toContain("store_api");
    expect(JSON.stringify(received)).not.toContain(member.token);
  });

  it("are in the log line, too", async () => {
    const traceId = randomUUID().replaceAll("-", "");
    await call("GET", "/api/health", {
      base: api.base,
      init: { headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` } },
    });
    await expect.poll(() => api.log()).toContain(`"trace_id":"${traceId}"`);
  });

  it("are not sent unless they are switched on", async () => {
    const silent = await serveEdgeFunction("api", stack().database_url, environment);
    const traceId = randomUUID().replaceAll("-", "");
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    await call("GET", "/api/health", { base: silent.base, init: { headers } });
    // A span that is sent later shows that the collector has had the time to receive the first one.
    const later = randomUUID().replaceAll("-", "");
    await call("GET", "/api/health", {
      base: api.base,
      init: { headers: { traceparent: `00-${later}-00f067aa0ba902b7-01` } },
    });
    await expect.poll(() => inTrace(later).length).toBeGreaterThan(0);
    await silent.stop();
    expect(inTrace(traceId)).toEqual([]);
  });
});
