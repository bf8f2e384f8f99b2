import { z } from "@hono/zod-openapi";
import { brokerageProgress } from "../../_shared/resources/plans.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { recordsFile } from "../../_shared/files/serve_records.ts";
import { id, listOf, money, moneyText, nickname, points, time, webAddress } from "../../_shared/resources/schemas.ts";

const me = z
  .strictObject({
    uid: id,
    nickname: z.string(),
    avatar: z.string().nullable(),
    spread_uid: id.nullable(),
    share_code: z.uuid().openapi({ description: "What share links of the member have beside the uid: ?spread=<uid>&share=<share_code>." }),
    agent_level: z.int().min(0).openapi({ description: "The member's grade. 0 means no level." }),
    agent_level_name: z.string(),
    no_assess: z.boolean(),
    add_time: time,
  })
  .openapi("Me");

const assets = z
  .strictObject({
    brokerage_price: money.openapi({ description: "The balance of commission: withdrawable, held_by_refunds and maturing." }),
    withdrawable: money.openapi({
      description:
        "What can be withdrawn now. Negative: a debt, for example because a refund took back commission that had been withdrawn.",
    }),
    held_by_refunds: money.openapi({
      description: "Matured commission that cannot be withdrawn while refunds of its orders are asked for. It is not part of withdrawable.",
    }),
    maturing: money.openapi({ description: "Commission that cannot be withdrawn yet." }),
    maturing_after_receipt: money.openapi({ description: "The part of it that matures only after the receipt of its order is confirmed." }),
    matures: z.array(z.strictObject({ date: z.iso.date(), amount: money })).openapi({ description: "What matures on which business day." }),
    frozen_points: points,
    available_points: points,
    today_release: points.openapi({ description: "The points of today's release, whether or not it has already run." }),
    total_points_earned: points.openapi({ description: "All points granted, with the opening balance and less reversals." }),
    agent_level: z.int().min(0),
    agent_level_name: z.string(),
    progress: brokerageProgress,
  })
  .openapi("AssetOverview");

const deletion = z
  .strictObject({
    state: z.enum(["none", "waiting"]),
    asked_at: time.nullable(),
    due_at: time
      .nullable()
      .openapi({ description: "The account is deleted in the night after this time. Until then, its member can keep it." }),
    forfeit: z
      .strictObject({ brokerage: money, frozen_points: points, available_points: points })
      .openapi({ description: "What the member gives up with the account at present. What they owe is not in it." }),
    obstacles: z
      .array(
        z.strictObject({
          reason: z.enum(["administrator", "withdrawal_open", "order_open", "refund_open", "refund_window_open", "debt", "points_owed"]),
          count: z.int().min(1),
          amount: z.string().nullable().openapi({ description: "Money; points for points_owed." }),
          until: time.nullable().openapi({ description: "When the last refund window ends." }),
        }),
      )
      .openapi({ description: "Why the deletion cannot be asked for now; of one that waits, what is in progress and holds it up." }),
    needs_sign_in: z.boolean().openapi({ description: "Whether the member must sign in again before they can ask for the deletion." }),
  })
  .openapi("AccountDeletion");

const memberSession = z
  .strictObject({
    id: z.uuid(),
    is_current: z.boolean(),
    began_at: time,
    used_at: time.openapi({ description: "When it began or was last renewed." }),
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
    summary: "The signed-in member",
    response: me,
    calls: "get_me",
  }),
  defineRoute({
    method: "put",
    path: "/api/user",
    auth: "user",
    tag: "Member",
    summary: "Change nickname and avatar",
    request: {
      body: z
        .strictObject({
          nickname: nickname(64).optional(),
          avatar: z
            .union([webAddress(512), z.literal("")])
            .optional()
            .openapi({ description: "An empty one removes it." }),
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
    summary: "Set the member's referrer, once",
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
    summary: "Everything that the store knows about the member as a JSON file",
    description: "A few times an hour, so it is a POST. Idempotency-Key is rejected.",
    ...recordsFile("my_data"),
    errors: ["too_many_requests"],
    calls: "export_me",
  }),
  defineRoute({
    method: "get",
    path: "/api/user/session",
    auth: "user",
    tag: "Member",
    summary: "Where the member is signed in",
    response: listOf(memberSession),
    calls: "get_sessions",
  }),
  defineRoute({
    method: "delete",
    path: "/api/user/session",
    auth: "user",
    tag: "Member",
    summary: "Sign out everywhere else",
    description: "An access token stays valid until it expires, within the hour. It cannot be renewed.",
    response: ended,
    calls: "end_sessions",
  }),
  defineRoute({
    method: "delete",
    path: "/api/user/session/{id}",
    auth: "user",
    tag: "Member",
    summary: "Sign out of one session",
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
    summary: "Whether the account waits for its deletion, and what that would take",
    response: deletion,
    calls: "get_deletion",
  }),
  defineRoute({
    method: "post",
    path: "/api/user/deletion",
    auth: "user",
    tag: "Member",
    summary: "Ask for the deletion of the account",
    description:
      "The session began within the last 15 minutes. The body repeats what GET returned as forfeit, which is the consent to give it up, and with it what the " +
      "account earns until its deletion. Seven days later, everything personal is deleted; orders and the bill stay without a name.",
    request: {
      body: z.strictObject({
        forfeit: z.strictObject({ brokerage: moneyText, frozen_points: points.min(0), available_points: points.min(0) }),
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
    summary: "Keep the account",
    response: deletion,
    calls: "cancel_deletion",
  }),
  defineRoute({
    method: "get",
    path: "/api/hjf/assets/overview",
    auth: "user",
    tag: "Commission",
    summary: "The member's money, points, level and commission cycle",
    response: assets,
    calls: "get_assets_overview",
  }),
] as const;
