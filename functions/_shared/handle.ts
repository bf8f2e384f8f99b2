import type { Context, Handler } from "hono";
import { respondJson } from "./respond.ts";
import { requireRole } from "./authentication.ts";
import type { Claims } from "./database.ts";
import { readKey } from "./idempotency.ts";
import { describeRequest } from "./log.ts";
import { orderInPath, placedOrder } from "./order_of_request.ts";
import { readInput } from "./read_input.ts";
import type { Route } from "./route.ts";
import { serveCsv } from "./serve_csv.ts";
import type { Service } from "./service.ts";
import { isSecretOf, requireSecretOf } from "./shared_secret.ts";
import { WORKER_SECRET } from "./worker_call.ts";

/** Creates the handler of a route: authenticate, validate, execute one SQL statement, return the result of the database unchanged. */
export function handle(route: Route, service: Service): Handler {
  const { database } = service;
  const customHandler = route.handler?.(service, route);
  return async (c) => {
    describeRequest({ route: route.path, order: orderInPath(c, route) });
    const claims = await authorize(c, route, service);
    if (customHandler) return customHandler(c, claims);

    const key = readKey(c, route);
    const input = await readInput(c, route);
    const args = route.args(input, service);
    const read = (more: object = {}) => database.callAsCaller(claims, route.calls, { ...args, ...more }, { id: c.get("requestId"), key });
    if (route.csv) return serveCsv(c, route.csv, (p_cursor) => read({ p_cursor }));
    const result = await read();

    const placed = placedOrder(route, result);
    if (placed !== undefined) describeRequest({ order: placed });
    route.afterwards?.(service);
    return respondJson(c, result, route.status);
  };
}

const MACHINE: Claims = {};

/** @returns the claims of a caller who may use the route; none for a machine @throws Problem for any other caller */
async function authorize(c: Context, { auth }: Route, { authenticate, env }: Service): Promise<Claims> {
  const authorization = c.req.header("authorization");
  // Monitoring systems can send only an Authorization header, and a token of Auth would expire within the hour.
  if (auth === "scraper" && await isSecretOf("scraper", /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1], env)) {
    describeRequest({ caller: auth });
    return MACHINE;
  }
  const claims = await authenticate(authorization);
  describeRequest({ caller: claims.sub as string | undefined });
  if (auth !== "job") requireRole(auth, claims);
  else {
    await requireSecretOf(auth, c.req.header(WORKER_SECRET), env);
    describeRequest({ caller: auth });
  }
  return claims;
}
