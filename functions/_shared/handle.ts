import type { Handler } from "hono";
import { answerJson } from "./answer.ts";
import { requireRole } from "./authentication.ts";
import { readKey } from "./idempotency.ts";
import { readInput } from "./read_input.ts";
import type { Route } from "./route.ts";
import type { Service } from "./service.ts";

/** The one handler of all routes: who calls, what with, one statement, the answer as the database wrote it. */
export function handle(route: Route, service: Service): Handler {
  const { database } = service;
  const ownHandler = route.handler?.(service, route);
  return async (c) => {
    c.set("route", route.path);
    const claims = await service.authenticate(c.req.header("authorization"));
    c.set("caller", claims.sub);
    requireRole(route.auth, claims);
    if (ownHandler) return ownHandler(c, claims);

    const key = readKey(c, route);
    const input = await readInput(c, route);
    const answer = await database.callAsCaller(claims, route.calls, route.args(input, service), { id: c.get("requestId"), key });

    route.afterwards?.(service);
    return answerJson(c, answer, route.status);
  };
}
