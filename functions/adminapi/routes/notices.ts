import { z } from "@hono/zod-openapi";
import { noticeType } from "../../_shared/resources/notices.ts";
import { defineRoute } from "../../_shared/routes/route.ts";

/** What a field of a template can say (app.message_parts). */
const messagePart = z.enum(["title", "text", "number", "amount", "points", "time", "site_name"]);

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Expected a time of day such as "22:00".');

const template = z.strictObject({
  type: noticeType,
  template_id: z
    .string()
    .regex(/^[\w-]{1,64}$/, "Expected the id of a template of the mini program.")
    .openapi({ example: "zun-LzcQyW-edafCVvzPkK4de2Rllr1fFpw2A_x0oXE" }),
  data: z.record(z.string().regex(/^[a-z_]{1,32}\d{1,3}$/, "Expected the name of a field such as thing1."), messagePart).openapi({
    description: "The fields of the template, each with what the message says there.",
    example: { thing1: "title", time2: "time" },
  }),
});

const messageSettings = z
  .strictObject({
    quiet_from: timeOfDay
      .nullable()
      .openapi({ description: "From here on, no message is sent, in the time zone of the store. Null: at any time." }),
    quiet_until: timeOfDay.nullable(),
    is_mail_set_up: z.boolean().openapi({ description: "Whether the store has a mail server. Without one, no mail is sent." }),
    is_mini_program_set_up: z.boolean().openapi({ description: "Whether the store has a mini program." }),
    templates: z.array(
      template.extend({
        problem: z
          .string()
          .nullable()
          .openapi({ description: "Why WeChat refused a message. None is sent until the template is saved again." }),
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
    summary: "The quiet hours and templates of messages to members",
    response: messageSettings,
    calls: "get_message_settings",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/message_settings",
    auth: "admin",
    tag: "System",
    summary: "Change the quiet hours and templates of messages to members",
    description: "What is left out stays as it is. What has no template reaches members in the inbox and by email only.",
    request: {
      body: z.strictObject({
        quiet_from: z
          .union([timeOfDay, z.literal("")])
          .optional()
          .openapi({ description: "Together with quiet_until. Both empty: no quiet hours." }),
        quiet_until: z.union([timeOfDay, z.literal("")]).optional(),
        templates: z.array(template).max(100).optional().openapi({ description: "To add or to change, each for its type." }),
        removed: z.array(noticeType).max(100).optional().openapi({ description: "The types whose templates are removed." }),
      }),
    },
    response: messageSettings,
    calls: "set_message_settings",
  }),
] as const;
