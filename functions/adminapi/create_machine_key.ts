import { z } from "@hono/zod-openapi";
import { readResult } from "../_shared/database/result.ts";
import { rejectKey } from "../_shared/routes/idempotency.ts";
import { keyText, newSecret } from "../_shared/routes/machine_key.ts";
import { readInput } from "../_shared/http/read_input.ts";
import { respondJson } from "../_shared/responses/respond.ts";
import type { Route, RouteHandler } from "../_shared/routes/route.ts";
import type { Service } from "../_shared/routes/service.ts";

/** The body of the request, as the route's schema validates it. */
interface Body {
  name: string;
  scopes: string[];
  expires_at?: string;
  calls_per_hour?: number;
}

const withId = z.object({ id: z.int() });

/** Makes a machine key. Its secret is rolled here, so that neither the database nor its log ever has it. */
export function createMachineKey({ database }: Service, route: Route): RouteHandler {
  return async (c, claims) => {
    rejectKey(c);
    const { name, scopes, expires_at, calls_per_hour } = (await readInput(c, route)).body as Body;
    const { secret, hash } = await newSecret();
    const args = {
      p_name: name,
      p_hash: hash,
      p_scopes: scopes,
      ...(expires_at !== undefined && { p_expires_at: expires_at }),
      ...(calls_per_hour !== undefined && { p_calls_per_hour: calls_per_hour }),
    };
    const key = await database.callAsCaller(claims, "create_machine_key", args, {
      id: c.get("requestId"),
      writes: true,
    });
    const shown = JSON.stringify(keyText(readResult(withId, key).id, secret));
    return respondJson(c, `{"secret": ${shown}, "machine_key": ${key}}`, route.status);
  };
}
