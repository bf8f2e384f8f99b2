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

const memberFields = z.strictObject({
  uid: id,
  nickname: z.string(),
  nickname_in_doubt: z.boolean().openapi({ description: "Whether WeChat wants a person to look at the nickname." }),
  phone: z.string().nullable(),
  spread_uid: id.nullable(),
  referrer_nickname: z.string().nullable(),
  agent_level: z.int().min(0),
  agent_level_name: z.string(),
  level_is_held: z
    .boolean()
    .openapi({ description: "Whether the level is held: tasks do not raise the member until an administrator ends the hold." }),
  no_assess: z.boolean(),
  brokerage_price: money,
  frozen_points: points,
  available_points: points,
  total_points_earned: points.openapi({ description: "All points granted, with the opening balance and less reversals." }),
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
    withdrawable: money.openapi({ description: "Negative for a member with a debt." }),
    held_by_refunds: money.openapi({ description: "Matured commission that open refund requests hold." }),
    maturing: money,
    reserved: money.openapi({ description: "The amounts of open withdrawals." }),
    paid: money.openapi({ description: "The amounts of paid withdrawals, fees included." }),
  }),
  points: z.strictObject({
    opening: points.openapi({ description: "What an imported member brought." }),
    earned: points.openapi({ description: "Less reversals." }),
    adjusted: points,
    frozen: points,
    available: points,
    spent: points.openapi({ description: "Points that paid for orders, less those that returned." }),
  }),
});

const memberPage = memberFields
  .extend({
    avatar: z.string().nullable(),
    avatar_in_doubt: z.boolean().openapi({ description: "Whether WeChat wants a person to look at the picture." }),
    as_of: time.nullable().openapi({ description: "The past instant that was asked for; null: the member as of now." }),
    referrer: z.strictObject({ uid: id, nickname: z.string() }).nullable(),
    next_level: nextLevel.openapi({
      description: "The next active grade; null at the top and at a past instant, because task counts have no history.",
    }),
    progress: brokerageProgress,
    team: z
      .strictObject(teamFields.shape)
      .nullable()
      .openapi({ description: "Null at a past instant, because team totals have no history." }),
    accounts,
    deletion: z
      .strictObject({ asked_at: time, due_at: time, done_at: time.nullable() })
      .nullable()
      .openapi({ description: "The deletion that the member asked for. Until it is done, they neither order nor withdraw." }),
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
      .openapi({ description: "Orders of the member that wait for their settlement, name a referrer and get the new one." }),
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
    level_is_held: z.boolean().openapi({ description: "Whether the level is held: the member does not rise, even if all tasks are met." }),
    next_level: z.int().nullable(),
    counted: z.record(taskType, z.int().min(0)),
    tasks: z.array(z.strictObject({ type: taskType, target: z.int(), counted: z.int(), met: z.boolean() })),
    left_out: z.record(z.string(), z.int()).openapi({ description: "Orders that do not count, by reason." }),
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
      .openapi({ description: "At most 200: first the orders that do not count, then the newest." }),
  })
  .openapi("CountAudit");

export const memberRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/user",
    auth: "admin",
    tag: "Members",
    summary: "Members with their points",
    request: {
      query: paging.extend({
        search: text(1, 64).optional().openapi({ example: "Chen", description: "uid, or a part of the nickname." }),
        agent_level: integerText(0, 100).optional(),
        no_assess: flagText.optional(),
        has_left: flagText.optional().openapi({ description: "Only members who have left, or only those who have not." }),
        spread_uid: idText.optional().openapi({ description: "Only direct members of this member." }),
        sort: sortBy(["uid", "add_time", "frozen_points", "available_points", "total_points_earned", "brokerage_price"], "-uid"),
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
    summary: "One member with referrer, commission cycle and the tasks of the next grade, now or at a past instant",
    description:
      "A past instant has the referrer, level, flags, balances, cycle and accounts that the member had then, with the plan that was in force. Names, phone and picture have no history and are those of now.",
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
    summary: "Dismiss the doubt of WeChat about a nickname or a picture of a member",
    description:
      "Give what you have seen: a nickname or picture that the member has chosen since stays in doubt. Repeating the request changes nothing.",
    request: {
      path: uidPath,
      body: z
        .strictObject({ nickname: text(1, 64).optional(), avatar: webAddress(512).optional() })
        .refine(({ nickname, avatar }) => nickname !== undefined || avatar !== undefined, "Give the nickname or the picture."),
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
    summary: "Everything that the store knows about a member as a JSON file",
    description:
      "For a member who asks for their data. Account numbers are complete, so the role owner or finance is needed. It is a POST, because the action log has each reading. Idempotency-Key is rejected.",
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
    summary: "What setting the referrer of a member would change",
    description: "Writes nothing. It is refused for the reasons for which setting the referrer would be.",
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
    summary: "Set or correct the referrer of a member",
    description:
      "Possible as long as no order of the member, or of anyone below, is settled or imported: then nothing that was paid depends on it. Orders that wait for their settlement and name a referrer get the new one; an order that was placed without a referrer pays nobody. Repeating the request changes nothing.",
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
    summary: "Set or clear the no-assess flag of a member",
    description: "Orders of a flagged member do not count for the tasks of others. Without a body, the flag is set.",
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
    summary: "Set the level of a member",
    request: {
      path: uidPath,
      body: z.strictObject({
        agent_level: z.int().min(0).max(100),
        hold: z.boolean().optional().openapi({
          description:
            "Whether to hold the level, so that tasks do not raise the member. By default, lowering a member holds the level; otherwise the hold does not change.",
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
    summary: "The orders behind a member's task counts",
    request: { path: uidPath },
    response: countAudit,
    errors: ["user_not_found"],
    calls: "get_count_audit",
  }),
] as const;
