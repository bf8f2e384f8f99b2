import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Context } from "hono";
import type { RequestFields } from "./log.ts";

// Deno makes the spans of requests and exports them if OTEL_DENO is true. Otherwise nothing here has an effect.
const tracer = trace.getTracer("store");

/** The trace that a request belongs to: that of its span, or else the one that the client has named. */
export function traceIdOf(c: Context): string | undefined {
  return (
    trace.getActiveSpan()?.spanContext().traceId ??
    /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(c.req.header("traceparent") ?? "")?.[1]
  );
}

/** Names the span of a request after its route and adds what the log says about the request. */
export function describeSpan(c: Context, { service, request_id, route, caller, order }: RequestFields): void {
  const span = trace.getActiveSpan();
  if (!span) return;
  const path = route ?? `/${service}/…`;
  span.updateName(`${c.req.method} ${path}`);
  span.setAttributes({
    "http.route": path,
    "store.request_id": request_id,
    ...(caller !== undefined && { "store.caller": caller }),
    ...(order !== undefined && { "store.order": order }),
  });
}

/** Runs a call of the database in a span of its own, which is named after the function. */
export function withinSpan<Result>(functionName: string, work: () => Promise<Result>): Promise<Result> {
  const attributes = { "db.system.name": "postgresql", "db.operation.name": functionName };
  return tracer.startActiveSpan(`api.${functionName}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      // The message could contain an argument.
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
