import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { cors } from "hono/cors";
import { methodNotAllowed } from "hono/method-not-allowed";
import { requestId } from "hono/request-id";
import { handle } from "./handle.ts";
import { serveDocument } from "./openapi.ts";
import { Problem, respondWithProblem } from "./problem.ts";
import { requestLog } from "./request_log.ts";
import type { AppDefinition } from "./route.ts";
import type { Service } from "./service.ts";

/** Answers what browsers ask before they send a request of another origin. */
const preflight = cors({
  origin: "*",
  allowMethods: ["GET", "POST", "PUT", "DELETE"],
  allowHeaders: ["authorization", "apikey", "content-type", "x-client-info", "x-region", "x-request-id", "idempotency-key", "traceparent", "tracestate", "baggage"],
  maxAge: 7200,
});

/** Builds the HTTP application of an edge function. Nothing here is about authentication: every route states its own. */
export function createApp(definition: AppDefinition, service: Service): OpenAPIHono {
  const { name, routes } = definition;
  const app = new OpenAPIHono();

  // The header goes out with the others (answer.ts).
  app.use(requestId({ headerName: "", generator: (c) => givenId(c) ?? crypto.randomUUID() }));
  app.use(requestLog(name));
  // No route of its own: one for every path would make every path exist.
  app.use((c, next) => (c.req.method === "OPTIONS" ? preflight(c, next) : next()));
  app.use(methodNotAllowed({
    app,
    onMethodNotAllowed: (c, methods) =>
      respondWithProblem(c, new Problem("method_not_allowed", { headers: { allow: methods.join(", ") } })),
  }));

  for (const route of routes) {
    app.on(route.method, route.path.replaceAll(/{(\w+)}/g, ":$1"), handle(route, service));
  }
  serveDocument(app, definition, service.build.version);

  app.notFound((c) => respondWithProblem(c, new Problem("route_not_found")));
  app.onError((error, c) => respondWithProblem(c, error instanceof Problem ? error : new Problem("internal_error")));
  return app;
}

/** The caller's own name for the request, where it can go into a log as it is. */
function givenId(c: Context): string | undefined {
  const given = c.req.header("x-request-id");
  return given !== undefined && /^[\w=-]{1,255}$/.test(given) ? given : undefined;
}
