import { OpenAPIHono } from "@hono/zod-openapi";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import { methodNotAllowed } from "hono/method-not-allowed";
import { requestId } from "hono/request-id";
import { secureHeaders } from "hono/secure-headers";
import { handle } from "./handle.ts";
import { serveDocument } from "./openapi.ts";
import { Problem, respondWithProblem } from "./problem.ts";
import { requestLog } from "./request_log.ts";
import type { Route } from "./route.ts";
import type { Service } from "./service.ts";

/** An edge function: its slug, which its paths start with, and its routes. */
export interface AppDefinition {
  name: string;
  title: string;
  routes: readonly Route[];
}

const MOST_BODY_BYTES = 64 * 1024;

/** Builds the HTTP application of an edge function. Nothing here is about authentication: every route states its own. */
export function createApp(definition: AppDefinition, service: Service): OpenAPIHono {
  const { name, routes } = definition;
  const app = new OpenAPIHono();

  app.use(requestId());
  app.use(requestLog(name));
  // Pictures are shown by pages of other origins, and answers are read there.
  app.use(secureHeaders({
    crossOriginResourcePolicy: "cross-origin",
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  }));
  // Any origin: callers prove themselves by a token that no browser adds by itself.
  app.use(cors({
    origin: "*",
    allowMethods: ["GET", "POST", "PUT", "DELETE"],
    allowHeaders: ["authorization", "apikey", "content-type", "x-client-info", "x-region", "x-request-id", "idempotency-key", "traceparent", "tracestate", "baggage"],
    exposeHeaders: ["x-request-id", "retry-after", "www-authenticate"],
    maxAge: 7200,
  }));
  app.use(async (c, next) => {
    await next();
    if (!c.res.headers.has("cache-control")) c.res.headers.set("cache-control", "no-store");
  });
  app.use(methodNotAllowed({
    app,
    onMethodNotAllowed: (c, methods) =>
      respondWithProblem(c, new Problem("method_not_allowed", { headers: { allow: methods.join(", ") } })),
  }));
  app.use(bodyLimit({
    maxSize: MOST_BODY_BYTES,
    onError: () => {
      throw new Problem("body_too_large");
    },
  }));

  for (const route of routes) {
    app.on(route.method, route.path.replaceAll(/{(\w+)}/g, ":$1"), handle(route, service));
  }
  serveDocument(app, definition, service.build.version);

  app.notFound((c) => respondWithProblem(c, new Problem("route_not_found")));
  app.onError((error, c) => respondWithProblem(c, error instanceof Problem ? error : new Problem("internal_error")));
  return app;
}
