import { z } from "@hono/zod-openapi";
import { callerAddress } from "../../_shared/access/caller_address.ts";
import type { Database } from "../../_shared/database/database.ts";
import { readResult } from "../../_shared/database/result.ts";
import { rejectKey } from "../../_shared/routes/idempotency.ts";
import { Problem } from "../../_shared/responses/problem.ts";
import { readInput } from "../../_shared/http/read_input.ts";
import { respondJson } from "../../_shared/responses/respond.ts";
import type { Route, RouteHandler } from "../../_shared/routes/route.ts";
import type { Service } from "../../_shared/routes/service.ts";
import { createCodeExchange, type WechatUser } from "../../_shared/wechat/sign_in_code.ts";
import { accountToSignIn, createSessions } from "./session.ts";

/** What `open_wechat_sign_in` returns; null while another sign-in of the user is in progress. */
const openedSignIn = accountToSignIn.extend({ sign_in: z.string() }).nullable();
type SignIn = NonNullable<z.infer<typeof openedSignIn>>;

/** What `close_wechat_sign_in` returns; null if the sign-in has expired. */
const closedSignIn = z.object({ uid: z.int(), spread_bound: z.boolean() }).nullable();

/** The body of the request, as the route's schema validates it. */
interface Body {
  code: string;
  appid?: string;
  spread?: string | number;
  nickname?: string;
  avatar?: string;
}

/** How long a sign-in waits for another one of the same user. */
const MAX_WAIT_MS = 30_000;
const POLL_MS = 40;

/**
 * Signs a WeChat user in: WeChat exchanges the code for the user's ids, and the Auth server creates a session. No
 * database connection is held meanwhile. Sign-ins of the same user wait for each other, because each new link of the
 * Auth server invalidates the one before.
 */
export function signInWithWechat({ database, env }: Service, route: Route): RouteHandler {
  const exchangeCode = createCodeExchange(env);
  const createSession = createSessions(env);

  return async (c) => {
    rejectKey(c);
    const { code, appid, nickname, avatar, ...body } = (await readInput(c, route)).body as Body;
    const spread = uidIn(body.spread);
    const user = await exchangeCode(code, appid);
    const account = await openSignIn(database, user);
    const caller = { address: callerAddress(c, env), userAgent: c.req.header("user-agent") };
    const created = await createSession(account, { spread, nickname, avatar }, caller).catch(async (error: unknown) => {
      // So that the next sign-in does not have to wait until this one expires.
      await database.callAsService("close_wechat_sign_in", { p_sign_in: account.sign_in }).catch(() => {});
      throw error;
    });
    const closed = await database.callAsService("close_wechat_sign_in", {
      p_sign_in: account.sign_in,
      p_spread_uid: spread,
    });
    const member = readResult(closedSignIn, closed);
    if (!member) throw new Problem("auth_unavailable");
    const { access_token, refresh_token, expires_in, token_type } = created.session;
    return respondJson(
      c,
      JSON.stringify({ access_token, refresh_token, expires_in, token_type, is_new: created.isNew, ...member }),
    );
  };
}

/** Begins a sign-in as soon as no other one of the same user is in progress. */
async function openSignIn(database: Database, { appid, openid, unionid }: WechatUser): Promise<SignIn> {
  for (const start = Date.now(); Date.now() - start < MAX_WAIT_MS;) {
    const opened = readResult(
      openedSignIn,
      await database.callAsService("open_wechat_sign_in", { p_appid: appid, p_openid: openid, p_unionid: unionid }),
    );
    if (opened) return opened;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS * (1 + Math.random())));
  }
  throw new Problem("sign_in_too_often");
}

/** The uid in the `spread` of a share link. A value that is no uid is ignored, so that it never prevents a sign-in. */
function uidIn(spread: string | number | undefined): string | undefined {
  const text = String(spread ?? "").trim();
  return /^\d{1,18}$/.test(text) ? text : undefined;
}
