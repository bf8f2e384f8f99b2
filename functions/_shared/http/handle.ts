import type { Context, Handler } from "hono";
import { requireRole } from "../access/authentication.ts";
import { callerOf, type Claims, type Database } from "../database/database.ts";
import { errorEntry } from "../responses/error_registry.ts";
import { readKey, rejectKey } from "../routes/idempotency.ts";
import { describeRequest } from "../ground/log.ts";
import { hasMachineKey, scopeOf, admitMachineKey } from "../routes/machine_key.ts";
import { orderInPath, placedOrder } from "./order_of_request.ts";
import { Problem } from "../responses/problem.ts";
import { readInput } from "./read_input.ts";
import { respondJson } from "../responses/respond.ts";
import { mayChange, type Route, type RouteHandler } from "../routes/route.ts";
import { serveRecords } from "../files/serve_records.ts";
import { noteSender } from "../access/sender.ts";
import type { Service } from "../routes/service.ts";
import { isSecretOf, requireSecretOf } from "../access/shared_secret.ts";
import { STORE_POSITION } from "../database/standby.ts";
import { WORKER_SECRET } from "../routes/worker_call.ts";

/**
 * Creates the handler of a route: authenticate, validate, execute one SQL statement, return the result of the database
 * unchanged.
 */
export function handle(route: Route, service: Service): Handler {
  const respondTo = route.handler?.(service, route) ?? executeCall(route, service);
  return async (c) => {
    describeRequest({ route: route.path, order: orderInPath(c, route) });
    // Before the token is verified, which costs more than the refusal.
    const caller =
      route.isPayment || isOfMachines(route)
        ? undefined
        : service.authentication.claimedCaller(c.req.header("authorization"));
    if (caller !== undefined && service.database.isCrowded(caller, route.standby)) throw new Problem("database_busy");
    const claims = await authorize(c, route, service);
    noteSender(c, claims, service.env);
    return mayChange(route) ? withPosition(route, service.database, () => respondTo(c, claims)) : respondTo(c, claims);
  };
}

/** Adds the position of the log to a response, so that the client's next reads include what the request has changed. */
async function withPosition(route: Route, database: Database, respondTo: () => Promise<Response>): Promise<Response> {
  try {
    const response = await respondTo();
    const position = await database.position();
    if (position !== undefined) response.headers.set(STORE_POSITION, position);
    return response;
  } catch (error) {
    // A single call that was refused has changed nothing. After any other failure, it is unknown.
    if (error instanceof Problem && (route.handler !== undefined || errorEntry(error.code).status >= 500)) {
      const position = await database.position();
      if (position !== undefined) error.headers[STORE_POSITION] = position;
    }
    throw error;
  }
}

/** Creates the handler of a route that is one call. */
function executeCall(route: Route, service: Service): RouteHandler {
  const { database } = service;
  return async (c, claims) => {
    const key = readKey(c, route);
    const input = await readInput(c, route);
    const args = route.args(input, service);
    const read = (more: object = {}) =>
      database.callAsCaller(
        claims,
        route.calls,
        { ...args, ...more },
        {
          id: c.get("requestId"),
          key,
          writes: route.method !== "get",
          standby: route.standby ? { position: c.req.header(STORE_POSITION) } : undefined,
        },
      );
    if (route.file) return route.file.serve(c, route.file, (p_cursor) => read({ p_cursor }));
    if (route.records && mayChange(route)) rejectKey(c);
    if (route.records) return serveRecords(c, route.records.name, (p_cursor) => read({ p_cursor }));
    const result = await read();

    const placed = placedOrder(route, result);
    if (placed !== undefined) describeRequest({ order: placed });
    route.afterwards?.(service);
    // A browser keeps the response, and asks each time whether it is still the same.
    return respondJson(c, result, route.status, route.revalidates && { "cache-control": "private, no-cache" });
  };
}

const MACHINE: Claims = {};

/** Whether a route is for machines, which have a secret and no token. */
const isOfMachines = ({ auth }: Route) => auth === "job" || auth === "scraper";

/** @returns the claims of a caller who may use the route; none for a machine @throws Problem for any other caller */
async function authorize(c: Context, route: Route, { authentication, database, env }: Service): Promise<Claims> {
  const { auth } = route;
  const authorization = c.req.header("authorization");
  // Monitoring systems can send only an Authorization header, and a token of Auth would expire within the hour.
  if (auth === "scraper" && (await isSecretOf("scraper", /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1], env))) {
    describeRequest({ caller: auth });
    return MACHINE;
  }
  if (hasMachineKey(authorization)) {
    // Before the key is looked up. The database refuses the same.
    if (auth !== "assistant" && scopeOf(route) === undefined)
      throw new Problem("forbidden", { detail: "Machine keys cannot do this, only people can." });
    const claims = await admitMachineKey(database, authorization!);
    describeRequest({ caller: callerOf(claims) });
    return claims;
  }
  const claims = await authentication.authenticate(authorization);
  describeRequest({ caller: callerOf(claims) });
  if (auth !== "job") requireRole(auth, claims);
  else {
    await requireSecretOf(auth, c.req.header(WORKER_SECRET), env);
    describeRequest({ caller: auth });
  }
  return claims;
}
