import { z } from "@hono/zod-openapi";
import { brokerageProgress } from "../../_shared/resources/plans.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { recordsFile } from "../../_shared/files/serve_records.ts";
import { id, listOf, money, moneyText, nickname, points, time, webAddress } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const me = z
  .strictObject({
    uid: id,
    nickname: z.string(),
    avatar: z.string().nullable(),
    spread_uid: id.nullable(),
    share_code: z.uuid().openapi({
      description: bilingual(
        "What share links of the member have beside the uid: ?spread=<uid>&share=<share_code>.",
        "会员的分享链接在 uid 之外的部分：?spread=<uid>&share=<share_code>。",
      ),
    }),
    agent_level: z
      .int()
      .min(0)
      .openapi({ description: bilingual("The member's grade. 0 means no level.", "会员的级别；0 表示没有等级。") }),
    agent_level_name: z.string(),
    no_assess: z.boolean(),
    add_time: time,
  })
  .openapi("Me");

const assets = z
  .strictObject({
    brokerage_price: money.openapi({
      description: bilingual(
        "The balance of commission: withdrawable, held_by_refunds and maturing.",
        "佣金余额：可提现、退款暂扣（held_by_refunds）与待到账之和。",
      ),
    }),
    withdrawable: money.openapi({
      description:
        "What can be withdrawn now. Negative: a debt, for example because a refund took back commission that had been withdrawn.",
    }),
    held_by_refunds: money.openapi({
      description:
        "Matured commission that cannot be withdrawn while refunds of its orders are asked for. It is not part of withdrawable.",
    }),
    maturing: money.openapi({
      description: bilingual("Commission that cannot be withdrawn yet.", "尚不能提现的佣金。"),
    }),
    maturing_after_receipt: money.openapi({
      description: bilingual(
        "The part of it that matures only after the receipt of its order is confirmed.",
        "其中须待订单确认收货后才到账的部分。",
      ),
    }),
    matures: z
      .array(z.strictObject({ date: z.iso.date(), amount: money }))
      .openapi({ description: bilingual("What matures on which business day.", "各营业日到账的金额。") }),
    frozen_points: points,
    available_points: points,
    today_release: points.openapi({
      description: bilingual(
        "The points of today's release, whether or not it has already run.",
        "今日释放的积分，无论释放是否已运行。",
      ),
    }),
    total_points_earned: points.openapi({
      description: "All points granted, with the opening balance and less reversals.",
    }),
    agent_level: z.int().min(0),
    agent_level_name: z.string(),
    progress: brokerageProgress,
  })
  .openapi("AssetOverview");

const deletion = z
  .strictObject({
    state: z.enum(["none", "waiting"]),
    asked_at: time.nullable(),
    due_at: time.nullable().openapi({
      description: bilingual(
        "The account is deleted in the night after this time. Until then, its member can keep it.",
        "此时间之后的夜间注销账号；在此之前，会员可保留账号。",
      ),
    }),
    forfeit: z.strictObject({ brokerage: money, frozen_points: points, available_points: points }).openapi({
      description: bilingual(
        "What the member gives up with the account at present. What they owe is not in it.",
        "会员现在注销账号将放弃的权益，不含其欠款。",
      ),
    }),
    obstacles: z
      .array(
        z.strictObject({
          reason: z.enum([
            "administrator",
            "withdrawal_open",
            "order_open",
            "refund_open",
            "refund_window_open",
            "debt",
            "points_owed",
          ]),
          count: z.int().min(1),
          amount: z
            .string()
            .nullable()
            .openapi({ description: bilingual("Money; points for points_owed.", "金额；points_owed 为积分。") }),
          until: time
            .nullable()
            .openapi({ description: bilingual("When the last refund window ends.", "最后一个退款期限的结束时间。") }),
        }),
      )
      .openapi({
        description: bilingual(
          "Why the deletion cannot be asked for now; of one that waits, what is in progress and holds it up.",
          "现在不能申请注销的原因；已申请的，为仍未完成、使注销推迟的事项。",
        ),
      }),
    needs_sign_in: z.boolean().openapi({
      description: bilingual(
        "Whether the member must sign in again before they can ask for the deletion.",
        "会员申请注销前是否须重新登录。",
      ),
    }),
  })
  .openapi("AccountDeletion");

const memberSession = z
  .strictObject({
    id: z.uuid(),
    is_current: z.boolean(),
    began_at: time,
    used_at: time.openapi({
      description: bilingual("When it began or was last renewed.", "开始或最近一次续期的时间。"),
    }),
    user_agent: z.string().nullable(),
    ip: z.string().nullable(),
  })
  .openapi("MemberSession");

const ended = z.strictObject({ ended: z.int().min(0) });

export const memberRoutes = [
  defineRoute({
    method: "get",
    path: "/api/user",
    auth: "user",
    tag: "Member",
    summary: bilingual("The signed-in member", "当前登录的会员"),
    response: me,
    calls: "get_me",
  }),
  defineRoute({
    method: "put",
    path: "/api/user",
    auth: "user",
    tag: "Member",
    summary: bilingual("Change nickname and avatar", "修改昵称与头像"),
    request: {
      body: z
        .strictObject({
          nickname: nickname(64).optional(),
          avatar: z
            .union([webAddress(512), z.literal("")])
            .optional()
            .openapi({ description: bilingual("An empty one removes it.", "空值表示移除。") }),
        })
        .refine((body) => Object.keys(body).length > 0, "Send at least one field."),
    },
    response: me,
    errors: ["text_not_allowed", "too_many_requests"],
    calls: "set_me",
  }),
  defineRoute({
    method: "put",
    path: "/api/user/spread",
    auth: "user",
    tag: "Member",
    summary: bilingual("Set the member's referrer, once", "设置会员的推荐人，仅可一次"),
    request: { body: z.strictObject({ spread_uid: id }) },
    response: z.strictObject({ uid: id, spread_uid: id }),
    errors: ["spread_already_bound", "spread_unknown", "spread_is_self", "spread_in_own_downline"],
    calls: "bind_spread",
  }),
  defineRoute({
    method: "post",
    path: "/api/user/export",
    auth: "user",
    tag: "Member",
    summary: bilingual(
      "Everything that the store knows about the member as a JSON file",
      "商城保存的该会员全部数据，JSON 文件",
    ),
    description: bilingual(
      "A few times an hour, so it is a POST. Idempotency-Key is rejected.",
      "每小时限几次，因此为 POST；不接受 Idempotency-Key。",
    ),
    ...recordsFile("my_data"),
    errors: ["too_many_requests"],
    calls: "export_me",
  }),
  defineRoute({
    method: "get",
    path: "/api/user/session",
    auth: "user",
    tag: "Member",
    summary: bilingual("Where the member is signed in", "会员已登录的设备"),
    response: listOf(memberSession),
    calls: "get_sessions",
  }),
  defineRoute({
    method: "delete",
    path: "/api/user/session",
    auth: "user",
    tag: "Member",
    summary: bilingual("Sign out everywhere else", "退出其他所有设备"),
    description: bilingual(
      "An access token stays valid until it expires, within the hour. It cannot be renewed.",
      "访问令牌在到期前（一小时内）仍有效，但不能续期。",
    ),
    response: ended,
    calls: "end_sessions",
  }),
  defineRoute({
    method: "delete",
    path: "/api/user/session/{id}",
    auth: "user",
    tag: "Member",
    summary: bilingual("Sign out of one session", "退出某一设备"),
    request: { path: z.strictObject({ id: z.uuid() }) },
    response: ended,
    errors: ["session_not_found"],
    calls: "end_sessions",
  }),
  defineRoute({
    method: "get",
    path: "/api/user/deletion",
    auth: "user",
    tag: "Member",
    summary: bilingual(
      "Whether the account waits for its deletion, and what that would take",
      "账号是否等待注销，以及注销将失去什么",
    ),
    response: deletion,
    calls: "get_deletion",
  }),
  defineRoute({
    method: "post",
    path: "/api/user/deletion",
    auth: "user",
    tag: "Member",
    summary: bilingual("Ask for the deletion of the account", "申请注销账号"),
    description: bilingual(
      "The session began within the last 15 minutes. The body repeats what GET returned as forfeit, which is the consent to give it up, and with it what the " +
        "account earns until its deletion. Seven days later, everything personal is deleted; orders and the bill stay without a name.",
      "须在 15 分钟内登录。请求体重复 GET 返回的 forfeit，表示同意放弃这些权益以及注销前的后续收益。七天后删除全部个人信息；订单与账单匿名保留。",
    ),
    request: {
      body: z.strictObject({
        forfeit: z.strictObject({
          brokerage: moneyText,
          frozen_points: points.min(0),
          available_points: points.min(0),
        }),
      }),
    },
    response: deletion,
    errors: ["recent_sign_in_needed", "deletion_not_possible", "changed_meanwhile"],
    calls: "request_deletion",
    args: ({ body: { forfeit } }) => ({
      p_brokerage: forfeit.brokerage,
      p_frozen_points: forfeit.frozen_points,
      p_available_points: forfeit.available_points,
    }),
  }),
  defineRoute({
    method: "delete",
    path: "/api/user/deletion",
    auth: "user",
    tag: "Member",
    summary: bilingual("Keep the account", "撤销注销，保留账号"),
    response: deletion,
    calls: "cancel_deletion",
  }),
  defineRoute({
    method: "get",
    path: "/api/hjf/assets/overview",
    auth: "user",
    tag: "Commission",
    summary: bilingual("The member's money, points, level and commission cycle", "会员的资金、积分、等级与佣金周期"),
    response: assets,
    calls: "get_assets_overview",
  }),
] as const;
