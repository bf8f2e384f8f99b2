import { z } from "@hono/zod-openapi";
import { id, paragraphs, time } from "./schemas.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";
import { bilingual } from "../words/bilingual.ts";

export const personRequestKind = z.enum(VALUE_LISTS["person_requests.kind"]);

export const personRequestState = z.enum(VALUE_LISTS["person_requests.state"]).openapi({
  description: bilingual(
    "lapsed: the member kept the account after all, or it was deleted before another request was answered.",
    "lapsed：会员最终保留了账号，或在其他请求答复前账号已被注销。",
  ),
});

/** What is asked for, as it is sent. */
export const personRequestNote = paragraphs(0, 500)
  .optional()
  .openapi({ description: bilingual("What is asked for. A correction needs it.", "请求的内容；更正须填写。") });

const fields = z.strictObject({
  id,
  kind: personRequestKind,
  channel: z.enum(VALUE_LISTS["person_requests.channel"]).openapi({
    description: bilingual(
      "administrator: recorded for a member who wrote or called.",
      "administrator：会员来信或来电，由管理员登记。",
    ),
  }),
  note: z.string().openapi({
    description: bilingual("What is asked for. Empty once the account is deleted.", "请求的内容；账号注销后为空。"),
  }),
  received_at: time,
  due_at: time.openapi({
    description: bilingual(
      "Until when the store answers (person_request_days).",
      "商城答复的截止时间（person_request_days）。",
    ),
  }),
  state: personRequestState,
  answer: z.string().openapi({
    description: bilingual(
      "What was done so far, or was done, or why it was refused. Empty if the member did it alone.",
      "已处理的情况、处理结果或拒绝原因；由会员自行完成的为空。",
    ),
  }),
  closed_at: time.nullable(),
});

/** A request of a member about their personal data. */
export const personRequestFields = fields.shape;
export const personRequest = fields.openapi("PersonRequest");
