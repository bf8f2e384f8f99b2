import { rejectKey } from "./idempotency.ts";
import { readInput } from "./read_input.ts";
import { respondJson } from "./respond.ts";
import type { Route, RouteHandler } from "./route.ts";
import { monthSecret, readSealSecret } from "./seals.ts";
import type { Service } from "./service.ts";

/** Answers what proves that rows are in the seal of their month. The database gets the secret of the month for this one call. */
export function proveStatement(service: Service, route: Route): RouteHandler {
  const { database, env } = service;
  const secret = readSealSecret(env);

  return async (c, claims) => {
    if (route.method !== "get") rejectKey(c);
    const args = route.args(await readInput(c, route), service) as { p_month: string; p_uid?: number };
    const proof = await database.callAsCaller(
      claims,
      route.calls,
      { ...args, p_secret: secret ? await monthSecret(secret, args.p_month) : null },
      { id: c.get("requestId"), writes: route.method !== "get" },
    );
    return respondJson(c, proof);
  };
}
