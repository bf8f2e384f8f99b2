import type { Context, MiddlewareHandler } from "hono";
import { stateOf } from "./database_problem.ts";
import { Problem } from "./problem.ts";

/** Logs one JSON line per request. It never contains the token, the body or the query, which may hold personal data. */
export function requestLog(service: string): MiddlewareHandler {
  return async (c, next) => {
    const start = performance.now();
    await next();
    const { status } = c.res;
    const line = {
      ts: new Date().toISOString(),
      level: status >= 500 ? "error" : "info",
      msg: "request",
      service,
      request_id: c.get("requestId"),
      trace_id: c.req.header("traceparent")?.split("-")[1],
      method: c.req.method,
      // The declared path, because the actual path contains ids.
      route: c.get("route") as unknown,
      caller: c.get("caller") as unknown,
      status,
      ms: Math.round((performance.now() - start) * 10) / 10,
      ...failure(c),
    };
    (status >= 500 ? console.error : console.log)(JSON.stringify(line));
  };
}

function failure(c: Context): Record<string, unknown> {
  const { error } = c;
  if (!error) return {};
  if (!(error instanceof Problem)) return { error: error.stack ?? String(error) };
  return {
    code: error.code,
    sqlstate: stateOf(error.cause) || undefined,
    // eslint-disable-next-line @typescript-eslint/no-base-to-string -- a cause is an error or a text
    error: c.res.status >= 500 && error.cause ? String(error.cause) : undefined,
  };
}
