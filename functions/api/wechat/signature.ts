import { hex } from "../../_shared/ground/hex.ts";
import { Problem } from "../../_shared/responses/problem.ts";
import { readInput } from "../../_shared/http/read_input.ts";
import { respondJson } from "../../_shared/responses/respond.ts";
import type { Route, RouteHandler } from "../../_shared/routes/route.ts";
import type { Service } from "../../_shared/routes/service.ts";
import { readWechatApp, WechatFailure } from "../../_shared/wechat/api.ts";
import { findTicket } from "../../_shared/wechat/jsapi_ticket.ts";

/** Signs a page of the store for the JS-SDK of WeChat (docs/wechat_sharing.md). */
export function signPage({ database, env }: Service, route: Route): RouteHandler {
  const account = readWechatApp(env, "H5");

  return async (c) => {
    const { url } = (await readInput(c, route)).query as { url: string };
    if (!account) throw new Problem("wechat_app_not_configured");
    const ticket = await findTicket(account, database, url).catch((cause: unknown) => {
      if (!(cause instanceof WechatFailure)) throw cause;
      throw new Problem("wechat_unavailable", {
        detail: "WeChat shows no card of this page at the moment. Share its link instead.",
        cause,
      });
    });
    const nonce_str = crypto.randomUUID().replaceAll("-", "");
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = await sha1(`jsapi_ticket=${ticket}&noncestr=${nonce_str}&timestamp=${timestamp}&url=${url}`);
    return respondJson(c, JSON.stringify({ app_id: account.appid, timestamp, nonce_str, signature }));
  };
}

/** The algorithm that WeChat demands. */
async function sha1(text: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text))));
}
