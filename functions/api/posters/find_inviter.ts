import { callerAddress } from "../../_shared/access/caller_address.ts";
import { readInput } from "../../_shared/http/read_input.ts";
import { respondJson } from "../../_shared/responses/respond.ts";
import type { Route, RouteHandler } from "../../_shared/routes/route.ts";
import type { Service } from "../../_shared/routes/service.ts";

/** Says who invites by a share link. The database limits how often an address asks. */
export function findInviter({ database, env }: Service, route: Route): RouteHandler {
  return async (c) => {
    const { uid, code } = (await readInput(c, route)).query as { uid: number; code: string };
    const inviter = await database.callForVisitor("find_inviter", {
      p_uid: uid,
      p_code: code,
      p_address: callerAddress(c, env),
    });
    return respondJson(c, inviter);
  };
}
