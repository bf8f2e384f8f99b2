import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { readResult } from "../../_shared/database/result.ts";
import { log } from "../../_shared/ground/log.ts";
import { Problem } from "../../_shared/responses/problem.ts";
import { readBody } from "../../_shared/http/read_body.ts";
import { respond } from "../../_shared/responses/respond.ts";
import type { RouteHandler } from "../../_shared/routes/route.ts";
import type { Service } from "../../_shared/routes/service.ts";
import { VERDICTS } from "../../_shared/wechat/content_check.ts";
import { openMessagePush } from "../../_shared/wechat/message_push.ts";

const message = z.object({ Event: z.string().optional() });

/** What WeChat says of a picture. If it could not check it, it has an error code and no result. */
const pictureCheck = z.object({
  trace_id: z.string().min(1).max(128),
  errcode: z.int().optional(),
  result: z.object({ suggest: z.string() }).optional(),
});

/** What `record_picture_check` returns. */
const recorded = z.object({ known: z.boolean() });

const respondText = (c: Context, text: string) =>
  respond(c, text, 200, { "content-type": "text/plain; charset=utf-8" });

/** Answers WeChat's question whether the address for messages of the mini program is that of the store. */
export function confirmMessages({ env }: Service): RouteHandler {
  const push = openMessagePush(env);

  return async (c) => {
    // Without a token, no signature is valid.
    if (!push) throw new Problem("signature_invalid");
    return respondText(c, await push.confirm(c.req.query()));
  };
}

/** Receives a message of WeChat. It repeats one that is not answered. Those that we do not use are answered, too. */
export function receiveMessages({ database, env }: Service): RouteHandler {
  const push = openMessagePush(env);

  /** An answer that we do not know is none: the picture is asked about again. */
  async function recordPictureCheck(content: unknown): Promise<void> {
    const { data } = pictureCheck.safeParse(content);
    if (!data) return log("warning", "WeChat tells of a picture in a form that the store does not know");
    const { trace_id, errcode, result } = data;
    const verdict = VERDICTS.find((one) => one === result?.suggest);
    if (errcode || !verdict)
      return log("warning", "WeChat did not check a picture", { trace_id, errcode, suggest: result?.suggest });
    const { known } = readResult(
      recorded,
      await database.callAsService("record_picture_check", { p_trace_id: trace_id, p_verdict: verdict }),
    );
    if (!known) log("warning", "WeChat has checked a picture that the store did not ask about", { trace_id });
  }

  return async (c) => {
    // Without a token, no signature is valid.
    if (!push) throw new Problem("signature_invalid");
    const content = await push.read(c.req.query(), await readBody(c));
    const { Event: event } = message.catch({}).parse(content);
    if (event === "wxa_media_check") await recordPictureCheck(content);
    return respondText(c, "success");
  };
}
