import { createAuthAdmin } from "../_shared/access/auth_admin.ts";
import type { Environment } from "../_shared/ground/env.ts";
import { rejectKey } from "../_shared/routes/idempotency.ts";
import { log } from "../_shared/ground/log.ts";
import { Problem } from "../_shared/responses/problem.ts";
import { readInput } from "../_shared/http/read_input.ts";
import { respondJson } from "../_shared/responses/respond.ts";
import type { Route, RouteHandler } from "../_shared/routes/route.ts";
import type { Service } from "../_shared/routes/service.ts";

/** The body of the request, as the route's schema validates it. */
interface Body {
  email: string;
  roles: string[];
  name?: string;
  redirect_to: string;
}

const DEADLINE_MS = 12_000;

/**
 * Stores an invitation, and has Auth send its mail. No database connection is held meanwhile. If no mail was sent, the
 * invitation remains and can be sent again: without the link, it gives no right.
 */
export function inviteAdministrator({ database, env }: Service, route: Route): RouteHandler {
  const sendMail = createMails(env);

  return async (c, claims) => {
    rejectKey(c);
    const { email, roles, name, redirect_to } = (await readInput(c, route)).body as Body;
    const args = { p_email: email, p_roles: roles, ...(name !== undefined && { p_name: name }) };
    const people = await database.callAsCaller(claims, "invite_administrator", args, {
      id: c.get("requestId"),
      writes: true,
    });
    await sendMail(email, redirect_to).catch((cause: unknown) => {
      log("error", "the Auth server sent no invitation", {
        reason: cause instanceof Error ? cause.message : "unknown",
      });
      throw new Problem("mail_not_sent", { cause });
    });
    return respondJson(c, people, route.status);
  };
}

/** Returns the function that sends the link with which the owner of an address proves it, and chooses a password. */
function createMails(env: Environment): (email: string, redirectTo: string) => Promise<void> {
  const connect = createAuthAdmin(env);

  return async (email, redirectTo) => {
    const auth = await connect(AbortSignal.timeout(DEADLINE_MS));
    const invited = await auth.admin.inviteUserByEmail(email, { redirectTo });
    // An account that is confirmed cannot be invited. Its link leads to a new password, as that of an invitation does.
    const { error } =
      invited.error?.code === "email_exists" ? await auth.resetPasswordForEmail(email, { redirectTo }) : invited;
    if (error) throw error;
  };
}
