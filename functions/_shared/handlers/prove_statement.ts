import { rejectKey } from "../routes/idempotency.ts";
import { readInput } from "../http/read_input.ts";
import { respondJson } from "../responses/respond.ts";
import type { Route, RouteHandler } from "../routes/route.ts";
import { monthSecret, readSealSecret } from "../secrets/seals.ts";
import type { Service } from "../routes/service.ts";

/**
 * Answers what proves that rows are in the seal of their month. The database gets the secret of the month for this one
 * call.
 */
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
