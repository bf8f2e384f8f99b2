import type { Handler } from "hono";
import { respondJson } from "./respond.ts";
import { requireRole } from "./authentication.ts";
import { readKey } from "./idempotency.ts";
import { readInput } from "./read_input.ts";
import type { Route } from "./route.ts";
import type { Service } from "./service.ts";
import { WORKER_SECRET } from "./worker_call.ts";
import { requireWorkerSecret } from "./worker_secret.ts";

/** Creates the handler of a route: authenticate, validate, execute one SQL statement, return the result of the database unchanged. */
export function handle(route: Route, service: Service): Handler {
  const { database } = service;
  const customHandler = route.handler?.(service, route);
  return async (c) => {
    c.set("route", route.path);
    const claims = await service.authenticate(c.req.header("authorization"));
    c.set("caller", claims.sub);
    if (route.auth === "job") await requireWorkerSecret(c.req.header(WORKER_SECRET), service.env);
    else requireRole(route.auth, claims);
    if (customHandler) return customHandler(c, claims);

    const key = readKey(c, route);
    const input = await readInput(c, route);
    const result = await database.callAsCaller(claims, route.calls, route.args(input, service), { id: c.get("requestId"), key });

    route.afterwards?.(service);
    return respondJson(c, result, route.status);
  };
}
