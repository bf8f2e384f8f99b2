import { z } from "@hono/zod-openapi";
import { readResult } from "../_shared/database/result.ts";
import type { Environment } from "../_shared/ground/env.ts";
import { fileNames, openPictureStorage } from "../_shared/pictures/picture_storage.ts";
import { readWechatApp } from "../_shared/wechat/api.ts";
import { askAboutPicture } from "../_shared/wechat/content_check.ts";
import type { Work } from "./work.ts";
import { VALUE_LISTS } from "../_shared/ground/value_lists.ts";

/** What `get_picture_check` returns. */
const waiting = z
  .object({
    openid: z.string(),
    media_type: z.enum(VALUE_LISTS["pictures.media_type"]),
    is_private: z.boolean(),
    asked: z.int(),
  })
  .nullable();

/** If WeChat has not answered so many questions, its answers do not arrive. */
const MOST_QUESTIONS = 3;
/** WeChat answers within half an hour, so it has fetched the picture by then. */
const LINK_SECONDS = 30 * 60;

/**
 * Asks WeChat about a picture of a member. The answer comes as a message, to the edge function `api`. The row waits for
 * it, and is due again if none comes.
 */
export const checkPicture: Work = async ({ picture_id }, { database, env }) => {
  const program = readWechatApp(env, "MINI");
  if (!program) throw new Error("no mini program is configured");
  const id = picture_id as string;
  const found = readResult(
    waiting,
    await database.callAsService("get_picture_check", { p_id: id, p_appid: program.appid }),
  );
  if (found && found.asked >= MOST_QUESTIONS)
    throw new Error(
      "WeChat has taken the picture and not answered: see whether its messages arrive (docs/wechat_checks.md)",
    );
  const traceId =
    found &&
    (await askAboutPicture(program, database, {
      openid: found.openid,
      isProfile: !found.is_private,
      url: await addressOf(fileNames(id, found.media_type).large, found.is_private, env),
    }));
  await database.callAsService("record_picture_question", { p_id: id, p_trace_id: traceId });
  return "recorded";
};

/** An address by which WeChat can fetch the file. */
async function addressOf(name: string, isPrivate: boolean, env: Environment): Promise<string> {
  if (!isPrivate) return openPictureStorage(env).addressOf(name);
  const [link] = await openPictureStorage(env, "private").sign([name], LINK_SECONDS);
  return link!;
}
