import { z } from "@hono/zod-openapi";
import { nextLevel, taskType } from "../../_shared/resources/levels.ts";
import { brokerageProgress } from "../../_shared/resources/plans.ts";
import { teamFields } from "../../_shared/resources/team.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import {
  asOf,
  flag,
  flagText,
  id,
  idText,
  integerText,
  leftAt,
  listOf,
  money,
  paging,
  points,
  sortBy,
  text,
  time,
  uidPath,
  visibleParagraphs,
  webAddress,
} from "../../_shared/resources/schemas.ts";
import { recordsFile } from "../../_shared/files/serve_records.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const memberFields = z.strictObject({
  uid: id,
  nickname: z.string(),
  nickname_in_doubt: z.boolean().openapi({
    description: bilingual("Whether WeChat wants a person to look at the nickname.", "微信是否要求人工复核该昵称。"),
  }),
  phone: z.string().nullable(),
  spread_uid: id.nullable(),
  referrer_nickname: z.string().nullable(),
  agent_level: z.int().min(0),
  agent_level_name: z.string(),
  level_is_held: z.boolean().openapi({
    description: "Whether the level is held: tasks do not raise the member until an administrator ends the hold.",
  }),
  no_assess: z.boolean(),
  brokerage_price: money,
  frozen_points: points,
  available_points: points,
  total_points_earned: points.openapi({
    description: "All points granted, with the opening balance and less reversals.",
  }),
  add_time: time,
  left_at: leftAt,
});

const member = memberFields.openapi("Member");

/** The terms of two equations: opening, earned and adjusted together are the sum of the others. */
const accounts = z.strictObject({
  commission: z.strictObject({
    opening: money.openapi({ description: "What an imported member brought." }),
    earned: money.openapi({ description: "Less reversals." }),
    adjusted: money,
    withdrawable: money.openapi({ description: bilingual("Negative for a member with a debt.", "会员有欠款时为负。") }),
    held_by_refunds: money.openapi({ description: "Matured commission that open refund requests hold." }),
    maturing: money,
    reserved: money.openapi({ description: bilingual("The amounts of open withdrawals.", "未完成提现的金额。") }),
    paid: money.openapi({
      description: bilingual("The amounts of paid withdrawals, fees included.", "已付款提现的金额，含手续费。"),
    }),
  }),
  points: z.strictObject({
    opening: points.openapi({ description: "What an imported member brought." }),
    earned: points.openapi({ description: "Less reversals." }),
    adjusted: points,
    frozen: points,
    available: points,
    spent: points.openapi({
      description: bilingual(
        "Points that paid for orders, less those that returned.",
        "抵扣订单的积分，减去已退回的积分。",
      ),
    }),
  }),
});

const memberPage = memberFields
  .extend({
    avatar: z.string().nullable(),
    avatar_in_doubt: z.boolean().openapi({
      description: bilingual("Whether WeChat wants a person to look at the picture.", "微信是否要求人工复核该头像。"),
    }),
    as_of: time.nullable().openapi({
      description: bilingual(
        "The past instant that was asked for; null: the member as of now.",
        "所请求的过去时刻；null：会员的当前情况。",
      ),
    }),
    referrer: z.strictObject({ uid: id, nickname: z.string() }).nullable(),
    next_level: nextLevel.openapi({
      description: bilingual(
        "The next active grade; null at the top and at a past instant, because task counts have no history.",
        "下一个启用的级别；已是最高级，或查询过去时刻时为 null，因为考核计数没有历史。",
      ),
    }),
    progress: brokerageProgress,
    team: z
      .strictObject(teamFields.shape)
      .nullable()
      .openapi({
        description: bilingual(
          "Null at a past instant, because team totals have no history.",
          "查询过去时刻时为 null，因为团队合计没有历史。",
        ),
      }),
    accounts,
    deletion: z
      .strictObject({ asked_at: time, due_at: time, done_at: time.nullable() })
      .nullable()
      .openapi({
        description: bilingual(
          "The deletion that the member asked for. Until it is done, they neither order nor withdraw.",
          "会员申请的注销。完成之前，会员既不能下单，也不能提现。",
        ),
      }),
  })
  .openapi("MemberPage");

const spreadErrors = [
  "import_unfinished",
  "user_not_found",
  "spread_unknown",
  "spread_is_self",
  "spread_in_own_downline",
  "spread_decided",
] as const;

const memberOfChange = z.strictObject({ uid: id, nickname: z.string() });

const spreadChange = z
  .strictObject({
    uid: id,
    from: memberOfChange.nullable().openapi({ description: "The referrer before; null for none." }),
    to: memberOfChange,
    orders: z
      .int()
      .min(0)
      .openapi({
        description: bilingual(
          "Orders of the member that wait for their settlement, name a referrer and get the new one.",
          "该会员待结算且已有推荐人、将同时改为新推荐人的订单数。",
        ),
      }),
  })
  .openapi("SpreadChange");

/** Existing clients send `status`. Both names may be given if they agree. Without either, the flag is set. */
const noAssessBody = z
  .strictObject({ no_assess: flag.optional(), status: flag.optional() })
  .refine(({ no_assess, status }) => no_assess === undefined || status === undefined || no_assess === status, {
    path: ["status"],
    error: "no_assess and status contradict each other; send one of them.",
  })
  .optional();

const countAudit = z
  .strictObject({
    uid: id,
    agent_level: z.int().min(0),
    level_is_held: z.boolean().openapi({
      description: bilingual(
        "Whether the level is held: the member does not rise, even if all tasks are met.",
        "等级是否锁定：即使完成全部考核任务，会员也不会升级。",
      ),
    }),
    next_level: z.int().nullable(),
    counted: z.record(taskType, z.int().min(0)),
    tasks: z.array(z.strictObject({ type: taskType, target: z.int(), counted: z.int(), met: z.boolean() })),
    left_out: z
      .record(z.string(), z.int())
      .openapi({ description: bilingual("Orders that do not count, by reason.", "不计入的订单，按原因统计。") }),
    orders: z
      .array(
        z.strictObject({
          order_id: id,
          uid: id,
          nickname: z.string(),
          is_direct: z.boolean(),
          counted: z.boolean(),
          reason: z.string().nullable(),
        }),
      )
      .openapi({
        description: bilingual(
          "At most 200: first the orders that do not count, then the newest.",
          "至多 200 笔：先为不计入的订单，再为最新的订单。",
        ),
      }),
  })
  .openapi("CountAudit");

export const memberRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/user",
    auth: "admin",
    tag: "Members",
    summary: bilingual("Members with their points", "会员及其积分"),
    request: {
      query: paging.extend({
        search: text(1, 64)
          .optional()
          .openapi({
            example: "Chen",
            description: bilingual("uid, or a part of the nickname.", "uid，或昵称的一部分。"),
          }),
        agent_level: integerText(0, 100).optional(),
        no_assess: flagText.optional(),
        has_left: flagText.optional().openapi({
          description: bilingual(
            "Only members who have left, or only those who have not.",
            "仅已离开的会员，或仅未离开的会员。",
          ),
        }),
        spread_uid: idText
          .optional()
          .openapi({ description: bilingual("Only direct members of this member.", "仅该会员的直推会员。") }),
        sort: sortBy("admin_get_users"),
      }),
    },
    response: listOf(member),
    calls: "admin_get_users",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/user/{uid}",
    auth: "admin",
    tag: "Members",
    summary: bilingual(
      "One member with referrer, commission cycle and the tasks of the next grade, now or at a past instant",
      "一位会员的推荐人、佣金周期与下一等级的考核任务，当前或过去某一时刻",
    ),
    description: bilingual(
      "A past instant has the referrer, level, flags, balances, cycle and accounts that the member had then, with the plan that was in force. Names, phone and picture have no history and are those of now.",
      "过去某一时刻显示会员当时的推荐人、等级、标记、余额、周期与账户，以及当时生效的方案。姓名、电话与头像没有历史，显示当前值。",
    ),
    request: { path: uidPath, query: z.strictObject(asOf) },
    response: memberPage,
    errors: ["user_not_found"],
    calls: "admin_get_user",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/user/{uid}/doubt/dismiss",
    auth: "admin",
    tag: "Members",
    summary: bilingual(
      "Dismiss the doubt of WeChat about a nickname or a picture of a member",
      "忽略微信对会员昵称或图片的疑似违规提示",
    ),
    description: bilingual(
      "Give what you have seen: a nickname or picture that the member has chosen since stays in doubt. Repeating the request changes nothing.",
      "请提交您看到的内容：会员之后更换的昵称或图片仍保持疑似状态。重复请求不产生变化。",
    ),
    request: {
      path: uidPath,
      body: z
        .strictObject({ nickname: text(1, 64).optional(), avatar: webAddress(512).optional() })
        .refine(
          ({ nickname, avatar }) => nickname !== undefined || avatar !== undefined,
          "Give the nickname or the picture.",
        ),
    },
    response: memberPage,
    errors: ["own_account", "user_not_found"],
    calls: "dismiss_member_doubt",
    args: ({ path, body }) => ({ p_uid: path.uid, p_nickname: body.nickname, p_avatar: body.avatar }),
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/user/{uid}/export",
    auth: "admin",
    tag: "Members",
    summary: bilingual(
      "Everything that the store knows about a member as a JSON file",
      "商城保存的某会员全部数据，JSON 文件",
    ),
    description: bilingual(
      "For a member who asks for their data. Account numbers are complete, so the role owner or finance is needed. It is a POST, because the action log has each reading. Idempotency-Key is rejected.",
      "用于会员索取本人数据。账号完整显示，因此需要所有者或财务角色。每次读取都计入操作记录，故为 POST。不接受 Idempotency-Key。",
    ),
    request: { path: uidPath },
    ...recordsFile("member"),
    errors: ["user_not_found"],
    calls: "export_member",
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/user/{uid}/spread/preview",
    auth: "admin",
    tag: "Members",
    summary: bilingual("What setting the referrer of a member would change", "设置会员的推荐人会带来哪些变化"),
    description: bilingual(
      "Writes nothing. It is refused for the reasons for which setting the referrer would be.",
      "不写入任何数据；不能设置推荐人时，以相同的原因拒绝。",
    ),
    request: { path: uidPath, body: z.strictObject({ spread_uid: id }) },
    response: spreadChange,
    errors: spreadErrors,
    calls: "preview_spread",
    args: ({ path, body }) => ({ p_uid: path.uid, p_spread_uid: body.spread_uid }),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/user/{uid}/spread",
    auth: "admin",
    tag: "Members",
    summary: bilingual("Set or correct the referrer of a member", "设置或更正会员的推荐人"),
    description: bilingual(
      "Possible as long as no order of the member, or of anyone below, is settled or imported: then nothing that was paid depends on it. Orders that wait for their settlement and name a referrer get the new one; an order that was placed without a referrer pays nobody. Repeating the request changes nothing.",
      "仅当该会员及其所有下级都没有已结算或导入的订单时可用，此时没有任何已支付的金额依赖于推荐关系。待结算且已有推荐人的订单同时改为新推荐人；下单时没有推荐人的订单不产生佣金。重复请求不产生变化。",
    ),
    request: { path: uidPath, body: z.strictObject({ spread_uid: id, reason: visibleParagraphs(500) }) },
    response: spreadChange,
    errors: ["own_account", ...spreadErrors],
    calls: "set_spread",
    args: ({ path, body }) => ({ p_uid: path.uid, p_spread_uid: body.spread_uid, p_reason: body.reason }),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/hjf/member/{uid}/no_assess",
    auth: "admin",
    tag: "Members",
    summary: bilingual("Set or clear the no-assess flag of a member", "设置或取消会员的免考核标记"),
    description: bilingual(
      "Orders of a flagged member do not count for the tasks of others. Without a body, the flag is set.",
      "不参与考核的会员，其订单不计入他人的考核任务。没有请求体时设置标记。",
    ),
    request: { path: uidPath, body: noAssessBody },
    response: z.strictObject({ uid: id, no_assess: z.boolean() }),
    errors: ["own_account", "user_not_found"],
    calls: "set_no_assess",
    args: ({ path, body }) => ({ p_uid: path.uid, p_no_assess: body?.no_assess ?? body?.status ?? true }),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/hjf/member/{uid}/level",
    auth: "admin",
    tag: "Members",
    summary: bilingual("Set the level of a member", "设置会员等级"),
    request: {
      path: uidPath,
      body: z.strictObject({
        agent_level: z.int().min(0).max(100),
        hold: z
          .boolean()
          .optional()
          .openapi({
            description: bilingual(
              "Whether to hold the level, so that tasks do not raise the member. By default, lowering a member holds the level; otherwise the hold does not change.",
              "是否锁定等级，使其不因完成考核任务而升级。默认情况下，降级时锁定，其他情况不变。",
            ),
          }),
      }),
    },
    response: z.strictObject({ uid: id, agent_level: z.int(), hold: z.boolean() }),
    errors: ["own_account", "user_not_found", "level_unknown"],
    calls: "set_agent_level",
    args: ({ path, body }) => ({ p_uid: path.uid, p_grade: body.agent_level, p_held: body.hold }),
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/hjf/member/{uid}/count_audit",
    auth: "admin",
    tag: "Members",
    summary: bilingual("The orders behind a member's task counts", "会员考核计数所依据的订单"),
    request: { path: uidPath },
    response: countAudit,
    errors: ["user_not_found"],
    calls: "get_count_audit",
  }),
] as const;
