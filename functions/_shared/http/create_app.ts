import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { cors } from "hono/cors";
import { etag } from "hono/etag";
import { methodNotAllowed } from "hono/method-not-allowed";
import { requestId } from "hono/request-id";
import { handle } from "./handle.ts";
import { serveDocument } from "../documents/openapi.ts";
import { Problem, respondWithProblem } from "../responses/problem.ts";
import { DEFAULT_HEADERS } from "../responses/respond.ts";
import { requestLog } from "./request_log.ts";
import type { AppDefinition } from "../routes/route.ts";
import type { Service } from "../routes/service.ts";

/** Responds to CORS preflight requests. */
const preflight = cors({
  origin: "*",
  allowMethods: ["GET", "POST", "PUT", "DELETE"],
  allowHeaders: [
    "authorization",
    "apikey",
    "content-type",
    "x-client-info",
    "x-region",
    "x-request-id",
    "idempotency-key",
    "store-position",
    "mcp-protocol-version",
    "traceparent",
    "tracestate",
    "baggage",
  ],
  maxAge: 7200,
});

/**
 * Adds an ETag to the response, and answers with 304 if the reader has it. A response without a body keeps the other
 * headers.
 */
const revalidate = etag({ retainedHeaders: ["etag", ...Object.keys(DEFAULT_HEADERS), "x-request-id"] });

/**
 * Builds the HTTP application of an edge function. Authentication is declared per route (`auth`) and not handled here.
 */
export function createApp(definition: AppDefinition, service: Service): OpenAPIHono {
  const { name, routes } = definition;
  const app = new OpenAPIHono();

  // respond.ts sends the header together with the others.
  app.use(requestId({ headerName: "", generator: (c) => clientRequestId(c) ?? crypto.randomUUID() }));
  app.use(requestLog(name));
  // Middleware, not a route: a route that matches every path would turn 404 responses into 405.
  app.use((c, next) => (c.req.method === "OPTIONS" ? preflight(c, next) : next()));
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) =>
        respondWithProblem(c, new Problem("method_not_allowed", { headers: { allow: methods.join(", ") } })),
    }),
  );

  for (const route of routes) {
    const path = route.path.replaceAll(/{(\w+)}/g, ":$1");
    if (route.revalidates) app.use(path, revalidate);
    app.on(route.method, path, handle(route, service));
  }
  serveDocument(app, definition, service.build.version);

  app.notFound((c) => respondWithProblem(c, new Problem("route_not_found")));
  app.onError((error, c) => respondWithProblem(c, error instanceof Problem ? error : new Problem("internal_error")));
  return app;
}

/** The request id sent by the client, if it is safe to log unchanged. */
function clientRequestId(c: Context): string | undefined {
  const id = c.req.header("x-request-id");
  return id !== undefined && /^[\w=-]{1,255}$/.test(id) ? id : undefined;
}
