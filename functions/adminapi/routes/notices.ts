import { z } from "@hono/zod-openapi";
import { noticeType } from "../../_shared/resources/notices.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

/** What a field of a template can say (app.message_parts). */
const messagePart = z.enum(["title", "text", "number", "amount", "points", "time", "site_name"]);

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Expected a time of day such as "22:00".');

const template = z.strictObject({
  type: noticeType,
  template_id: z
    .string()
    .regex(/^[\w-]{1,64}$/, "Expected the id of a template of the mini program.")
    .openapi({ example: "zun-LzcQyW-edafCVvzPkK4de2Rllr1fFpw2A_x0oXE" }),
  data: z
    .record(z.string().regex(/^[a-z_]{1,32}\d{1,3}$/, "Expected the name of a field such as thing1."), messagePart)
    .openapi({
      description: bilingual(
        "The fields of the template, each with what the message says there.",
        "模板的字段，以及消息在其中显示的内容。",
      ),
      example: { thing1: "title", time2: "time" },
    }),
});

const messageSettings = z
  .strictObject({
    quiet_from: timeOfDay.nullable().openapi({
      description: bilingual(
        "From here on, no message is sent, in the time zone of the store. Null: at any time.",
        "从此时刻起不发送消息，按商城时区。null：随时发送。",
      ),
    }),
    quiet_until: timeOfDay.nullable(),
    is_mail_set_up: z
      .boolean()
      .openapi({ description: "Whether the store has a mail server. Without one, no mail is sent." }),
    is_mini_program_set_up: z
      .boolean()
      .openapi({ description: bilingual("Whether the store has a mini program.", "商城是否配置了小程序。") }),
    templates: z.array(
      template.extend({
        problem: z
          .string()
          .nullable()
          .openapi({
            description: bilingual(
              "Why WeChat refused a message. None is sent until the template is saved again.",
              "微信拒绝消息的原因；重新保存模板前不再发送。",
            ),
          }),
      }),
    ),
  })
  .openapi("MessageSettings");

export const noticeRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/message_settings",
    auth: "admin",
    tag: "System",
    summary: bilingual("The quiet hours and templates of messages to members", "会员消息的免打扰时段与模板"),
    response: messageSettings,
    calls: "get_message_settings",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/message_settings",
    auth: "admin",
    tag: "System",
    summary: bilingual("Change the quiet hours and templates of messages to members", "修改会员消息的免打扰时段与模板"),
    description: bilingual(
      "What is left out stays as it is. What has no template reaches members in the inbox and by email only.",
      "未给出的保持不变。没有模板的消息仅以站内通知与邮件送达会员。",
    ),
    request: {
      body: z.strictObject({
        quiet_from: z
          .union([timeOfDay, z.literal("")])
          .optional()
          .openapi({
            description: bilingual(
              "Together with quiet_until. Both empty: no quiet hours.",
              "与 quiet_until 同时设置。两者为空：没有免打扰时段。",
            ),
          }),
        quiet_until: z.union([timeOfDay, z.literal("")]).optional(),
        templates: z
          .array(template)
          .max(100)
          .optional()
          .openapi({
            description: bilingual("To add or to change, each for its type.", "新增或修改的模板，每个类型一个。"),
          }),
        removed: z
          .array(noticeType)
          .max(100)
          .optional()
          .openapi({ description: bilingual("The types whose templates are removed.", "移除模板的类型。") }),
      }),
    },
    response: messageSettings,
    calls: "set_message_settings",
  }),
] as const;
