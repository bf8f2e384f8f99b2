import type { Context, MiddlewareHandler } from "hono";
import { stateOf } from "../database/database_problem.ts";
import { log, type RequestFields, withinRequest } from "../ground/log.ts";
import { Problem } from "../responses/problem.ts";
import { describeSpan, traceIdOf } from "../ground/tracing.ts";

/**
 * Logs one line per request, and describes its span. The line never contains the token, the body or the query, which
 * may hold personal data.
 */
export function requestLog(service: string): MiddlewareHandler {
  return (c, next) => {
    const start = performance.now();
    const fields: RequestFields = { service, request_id: c.get("requestId"), trace_id: traceIdOf(c) };
    return withinRequest(fields, async () => {
      await next();
      const { status } = c.res;
      describeSpan(c, fields);
      log(status >= 500 ? "error" : "info", "request", {
        method: c.req.method,
        status,
        ms: Math.round((performance.now() - start) * 10) / 10,
        ...failure(c),
      });
    });
  };
}

function failure(c: Context): Record<string, unknown> {
  const { error } = c;
  if (!error) return {};
  if (!(error instanceof Problem)) return { error: error.stack ?? String(error) };
  return {
    code: error.code,
    sqlstate: stateOf(error.cause) || undefined,
    // oxlint-disable-next-line typescript/no-base-to-string -- a cause is an error or a text
    error: c.res.status >= 500 && error.cause ? String(error.cause) : undefined,
  };
}
