import { z } from "@hono/zod-openapi";
import { waitingKind } from "../../_shared/resources/waiting.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { time } from "../../_shared/resources/schemas.ts";
import { VALUE_LISTS } from "../../_shared/ground/value_lists.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const waiting = z
  .strictObject({
    list: z.array(
      z.strictObject({
        kind: waitingKind,
        count: z.int().min(0).max(1000),
        is_more: z.boolean().openapi({
          description: bilingual(
            "Whether there are more than the count, which ends at 1000.",
            "是否多于所给数量，最多计到 1000。",
          ),
        }),
      }),
    ),
  })
  .openapi("Waiting");

const minutes = z.union([z.literal(15), z.literal(60), z.literal(240), z.literal(1440)]);
const language = z.enum(VALUE_LISTS["notice_choices.language"]);

const ownNotices = z
  .strictObject({
    is_set_up: z.boolean().openapi({
      description: bilingual(
        "Whether the store has a mail server. Without one, no notice is sent.",
        "商城是否配置了邮件服务器；未配置时不发送邮件提醒。",
      ),
    }),
    email: z.string().openapi({ description: bilingual("The address of the caller.", "当前管理员的邮箱。") }),
    kinds: z.array(waitingKind),
    language: language
      .nullable()
      .openapi({ description: bilingual("Null before the first choice.", "首次选择前为 null。") }),
    minutes,
    noticed_at: time
      .nullable()
      .openapi({ description: bilingual("When the last notice was written.", "最近一次生成邮件提醒的时间。") }),
  })
  .openapi("OwnNotices");

export const waitingRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/waiting",
    auth: "admin",
    tag: "Overview",
    summary: bilingual("How much waits for the caller, by kind", "按种类统计等待当前管理员处理的事项"),
    description: bilingual(
      "Only kinds that the roles of the caller allow to deal with. What the caller may not decide does not wait for them: orders and balances of their own " +
        "member account, and what they have made or approved and a second administrator must decide. The lists of orders, withdrawals and adjustments show " +
        "the same rows with `waiting=<kind>`.",
      "仅含当前角色可处理的种类。无权决定的事项不计入：本人会员账号的订单与余额，以及本人发起或批准、须由第二位管理员决定的事项。订单、提现与调账列表以 `waiting=<kind>` 显示相同的行。",
    ),
    response: waiting,
    calls: "get_waiting",
    standby: true,
    revalidates: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/me/notices",
    auth: "admin",
    tag: "Overview",
    summary: bilingual("Which notices by email the caller has chosen", "当前管理员选择的邮件提醒"),
    response: ownNotices,
    calls: "get_own_notices",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/me/notices",
    auth: "admin",
    tag: "Overview",
    summary: bilingual("Choose notices by email", "选择邮件提醒"),
    description: bilingual(
      "A notice has counts and links of what waits for the caller. It is sent when something new of these kinds waits, at most once in so many minutes. " +
        "Kinds that the roles of the caller do not allow are left out.",
      "邮件列出待处理事项的数量与链接。有此类新事项时发送，在设定的分钟数内至多一次。不含当前角色无权处理的种类。",
    ),
    request: { body: z.strictObject({ kinds: z.array(waitingKind).max(100), language, minutes }) },
    response: ownNotices,
    calls: "set_own_notices",
  }),
] as const;
