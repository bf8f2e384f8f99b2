import { z } from "@hono/zod-openapi";
import type { AuthError, Session } from "@supabase/auth-js";
import { createAuthAdmin } from "../../_shared/access/auth_admin.ts";
import type { Environment } from "../../_shared/ground/env.ts";
import { log } from "../../_shared/ground/log.ts";
import { Problem } from "../../_shared/responses/problem.ts";

/** The Auth account of a sign-in. */
export const accountToSignIn = z.object({ auth_id: z.string(), email: z.string(), is_registered: z.boolean() });
export type AccountToSignIn = z.infer<typeof accountToSignIn>;

/** Who signs in, as far as the Auth server would see it without the edge function in between. */
export interface SignInCaller {
  address: string | undefined;
  userAgent: string | undefined;
}

/** Creates the account if it is not registered, and a session. */
export type CreateSession = (
  account: AccountToSignIn,
  metadata: Record<string, unknown>,
  caller: SignInCaller,
) => Promise<{ session: Session; isNew: boolean }>;

/**
 * Shorter than a sign-in may last (`api.open_wechat_sign_in`), so that two sign-ins never invalidate each other's
 * links.
 */
const DEADLINE_MS = 12_000;

/**
 * Returns the function that creates sessions by the admin API of Supabase Auth: a sign-in link, which is not mailed but
 * used at once.
 * @throws Error if the variable with the secret keys is invalid
 */
export function createSessions(env: Environment): CreateSession {
  const connect = createAuthAdmin(env);

  return async ({ auth_id, email, is_registered }, metadata, { address, userAgent }) => {
    const forwarded = {
      // The Auth server limits sessions by address. Without this header, all sign-ins would share that of the edge
      // function.
      ...(address !== undefined && { "sb-forwarded-for": address }),
      // By which members recognise their sessions.
      ...(userAgent !== undefined && { "user-agent": userAgent }),
    };
    const auth = await connect(AbortSignal.timeout(DEADLINE_MS), forwarded).catch((cause: unknown) => {
      throw new Problem("auth_unavailable", { cause });
    });

    let isNew = false;
    if (!is_registered) {
      const { error } = await auth.admin.createUser({
        id: auth_id,
        email,
        email_confirm: true,
        user_metadata: metadata,
      });
      // An earlier sign-in may have created the account and not received the response.
      if (error && error.code !== "email_exists") throw problemOfAuth(error);
      isNew = !error;
    }
    const link = await auth.admin.generateLink({ type: "magiclink", email });
    if (link.error) throw problemOfAuth(link.error);
    const { properties, user } = link.data;
    // For an unknown address, the Auth server creates another account. The address is unknown if the account was just
    // deleted.
    if (user.id !== auth_id || properties.verification_type !== "magiclink")
      throw problemOfAuth(new Error("another account"));
    const { data, error } = await auth.verifyOtp({ type: "magiclink", token_hash: properties.hashed_token });
    if (error) throw problemOfAuth(error);
    if (!data.session) throw problemOfAuth(new Error("no session"));
    return { session: data.session, isNew };
  };
}

function problemOfAuth(error: AuthError | Error): Problem {
  const code = "code" in error ? error.code : undefined;
  if (code === "user_banned") return new Problem("forbidden", { cause: error });
  if (code === "over_request_rate_limit") return new Problem("sign_in_too_often", { cause: error });
  log("error", "the Auth server created no session", { reason: error.message });
  return new Problem("auth_unavailable", {
    detail: "Get a new code from WeChat and sign in again in a few seconds.",
    cause: error,
  });
}
