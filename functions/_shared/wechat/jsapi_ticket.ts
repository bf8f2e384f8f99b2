import { z } from "@hono/zod-openapi";
import type { Database } from "../database/database.ts";
import { readResult } from "../database/result.ts";
import { log } from "../ground/log.ts";
import { requestWithToken } from "./access_token.ts";
import { failureOf, readResponse, type WechatApp, WechatFailure } from "./api.ts";

/** What `claim_wechat_ticket` returns. */
const claimed = z.object({ state: z.enum(["known", "ask", "wait", "failed"]), ticket: z.string().nullable() });

/** Limits both requests together, to less than a ticket is claimed for (ten seconds). */
const DEADLINE_MS = 5000;
/** How long nobody asks again after WeChat gave none. */
const PAUSE_AFTER_FAILURE_SECONDS = 10;
/**
 * How long a caller waits before it looks again for a ticket that another one asks for, and how often: longer than the
 * deadline.
 */
const [PAUSE_MS, LOOKS] = [300, 20];

/**
 * Returns the ticket by which pages of the service account are signed (docs/wechat_sharing.md). All instances of the
 * edge functions share it, and of several callers, one asks WeChat.
 * @param url the page to be signed @throws WechatFailure @throws Problem if the page is none of the store
 */
export async function findTicket(account: WechatApp, database: Database, url: string): Promise<string> {
  for (let look = 0; look < LOOKS; look += 1) {
    const { state, ticket } = readResult(
      claimed,
      await database.callForVisitor("claim_wechat_ticket", { p_appid: account.appid, p_url: url }),
    );
    if (ticket !== null) return ticket;
    if (state === "ask") return askForTicket(account, database);
    if (state === "failed") throw new WechatFailure("no ticket a moment ago");
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new WechatFailure("no ticket in time");
}

async function askForTicket(account: WechatApp, database: Database): Promise<string> {
  const save = (p_token: string | null, p_expires_in: number) =>
    database.callAsService("save_wechat_token", {
      p_appid: account.appid,
      p_kind: "jsapi_ticket",
      p_token,
      p_expires_in,
    });
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const response = readResponse(
      await requestWithToken(account, database, "/cgi-bin/ticket/getticket?type=jsapi", undefined, signal),
    );
    const { errcode = 0, ticket, expires_in } = response;
    if (
      errcode !== 0 ||
      typeof ticket !== "string" ||
      !/^[\x21-\x7e]{1,512}$/.test(ticket) ||
      !Number.isInteger(expires_in)
    )
      throw failureOf("no ticket", response);
    await save(ticket, Math.min(Math.max(expires_in as number, 0), 86_400));
    return ticket;
  } catch (error) {
    if (!(error instanceof WechatFailure)) throw error;
    log("warning", "WeChat gave no ticket for pages", { reason: error.message });
    await save(null, PAUSE_AFTER_FAILURE_SECONDS);
    throw error;
  }
}
