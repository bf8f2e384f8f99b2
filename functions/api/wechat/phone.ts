import { z } from "@hono/zod-openapi";
import { readResult } from "../../_shared/database/result.ts";
import { rejectKey } from "../../_shared/routes/idempotency.ts";
import { Problem } from "../../_shared/responses/problem.ts";
import { readInput } from "../../_shared/http/read_input.ts";
import { respondJson } from "../../_shared/responses/respond.ts";
import type { Route, RouteHandler } from "../../_shared/routes/route.ts";
import type { Service } from "../../_shared/routes/service.ts";
import { problemOfWechat, readWechatApp } from "../../_shared/wechat/api.ts";
import { fetchPhoneNumber } from "../../_shared/wechat/phone_number.ts";

/** What is read of the result of `get_me`. */
const member = z.object({ uid: z.int() });

/**
 * Stores the phone number that the member has shared with the mini program. WeChat is called between two database
 * calls.
 */
export function takePhone({ database, env }: Service, route: Route): RouteHandler {
  const program = readWechatApp(env, "MINI");

  return async (c, claims) => {
    rejectKey(c);
    const { code } = (await readInput(c, route)).body as { code: string };
    if (!program) throw new Problem("wechat_app_not_configured");
    const { uid } = readResult(member, await database.callAsCaller(claims, "get_me", {}));
    const phone = await fetchPhoneNumber(program, database, code).catch((error: unknown) => {
      throw problemOfWechat(error);
    });
    return respondJson(c, await database.callAsService("set_phone", { p_uid: uid, p_phone: phone }));
  };
}
