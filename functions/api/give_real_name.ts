import { z } from "@hono/zod-openapi";
import { readResult } from "../_shared/database/result.ts";
import { rejectKey } from "../_shared/routes/idempotency.ts";
import type { RealName } from "../_shared/secrets/identity_document.ts";
import { Problem } from "../_shared/responses/problem.ts";
import { readInput } from "../_shared/http/read_input.ts";
import { argumentsOf, readRealNames } from "../_shared/secrets/real_names.ts";
import { respondJson } from "../_shared/responses/respond.ts";
import type { Route, RouteHandler } from "../_shared/routes/route.ts";
import type { Service } from "../_shared/routes/service.ts";

const withUid = z.object({ uid: z.int() });

/** Encrypts the real name of a member, who is a part of what is encrypted. The database and its log never have it. */
export function giveRealName({ database, env }: Service, route: Route): RouteHandler {
  const realNames = readRealNames(env);

  return async (c, claims) => {
    rejectKey(c);
    const given = (await readInput(c, route)).body as RealName;
    if (!realNames) throw new Problem("real_name_key_missing");
    const id = c.get("requestId");
    const { uid } = readResult(
      withUid,
      await database.callAsCaller(claims, "get_real_name", {}, { id, writes: false }),
    );
    return respondJson(
      c,
      await database.callAsCaller(claims, "set_real_name", await argumentsOf(realNames, uid, given), {
        id,
        writes: true,
      }),
    );
  };
}
