import { z } from "@hono/zod-openapi";
import type { Database } from "../_shared/database/database.ts";
import { readResult } from "../_shared/database/result.ts";
import { notice } from "../_shared/resources/notices.ts";
import type { MessageResult } from "../_shared/wechat/subscribe_message.ts";
import { VALUE_LISTS } from "../_shared/ground/value_lists.ts";

/** What every message to a member has. */
export const memberMessage = z.object({
  language: z.enum(VALUE_LISTS["inboxes.language"]),
  site_name: z.string(),
  time_zone: z.string(),
  /** The address of the H5 app. */
  url: z.string(),
  notice: notice.omit({ is_read: true }),
});

/** Begins the message of a row of the outbox. @returns null if it is not to be sent, or not now */
export async function beginMessage<Schema extends z.ZodType>(
  schema: Schema,
  database: Database,
  kind: "member_mail" | "member_wechat",
  payload: Record<string, unknown>,
  appid?: string,
) {
  const named = { p_kind: kind, p_notice: payload.notice as string, p_uid: payload.uid as number };
  const message = readResult(
    schema.nullable(),
    await database.callAsService("begin_message", { ...named, p_appid: appid }),
  );
  if (message === null) return null;
  const record = (p_result: MessageResult, p_problem?: string) =>
    database.callAsService("record_message", { ...named, p_result, p_problem });
  return { message, record };
}
