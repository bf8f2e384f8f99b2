import { readResult } from "../_shared/database/result.ts";
import { rejectKey } from "../_shared/routes/idempotency.ts";
import { Problem } from "../_shared/responses/problem.ts";
import { readInput } from "../_shared/http/read_input.ts";
import { readRealNames, storedName } from "../_shared/secrets/real_names.ts";
import { respondJson } from "../_shared/responses/respond.ts";
import type { Route, RouteHandler } from "../_shared/routes/route.ts";
import type { Service } from "../_shared/routes/service.ts";

/** Decrypts the real name of a member, after the database has recorded who reads it. */
export function readRealName({ database, env }: Service, route: Route): RouteHandler {
  const realNames = readRealNames(env);

  return async (c, claims) => {
    rejectKey(c);
    const { uid } = (await readInput(c, route)).path as { uid: number };
    if (!realNames) throw new Problem("real_name_key_missing");
    const stored = await database.callAsCaller(
      claims,
      "read_real_name",
      { p_uid: uid },
      { id: c.get("requestId"), writes: true },
    );
    return respondJson(c, JSON.stringify({ uid, ...(await realNames.decrypt(readResult(storedName, stored))) }));
  };
}
