import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { riseCause } from "../../_shared/resources/levels.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, leftAt, listOf, money, paging, points, ratio, time, uidPath } from "../../_shared/resources/schemas.ts";
import { VALUE_LISTS } from "../../_shared/ground/value_lists.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const uplineMember = z
  .strictObject({
    depth: z
      .int()
      .min(1)
      .openapi({ description: bilingual("1 is the referrer.", "1 为推荐人。") }),
    uid: id,
    nickname: z.string(),
    agent_level: z.int().min(0),
    agent_level_name: z.string(),
    no_assess: z.boolean(),
    left_at: leftAt,
  })
  .openapi("UplineMember");

const place = z
  .strictObject({
    cycle_no: z.int().min(1),
    place: z.int().min(1),
    cycle_plan_version: z.int().min(1),
    order_id: id.nullable().openapi({
      description: bilingual(
        "The order that took the place. Null if the member was imported with it; the following fields are then null, too.",
        "占用该位置的订单。会员导入时已占用的为 null，此时以下字段也为 null。",
      ),
    }),
    uid: id.nullable().openapi({ description: "The buyer." }),
    nickname: z
      .string()
      .nullable()
      .openapi({ description: bilingual("The buyer's.", "买家的昵称。") }),
    base: money.nullable(),
    ratio: ratio.nullable().openapi({
      description: bilingual("The rate that was paid: payout caps included.", "实际发放的比例，已计入佣金上限。"),
    }),
    commission: money
      .nullable()
      .openapi({ description: bilingual("What is left of it after refunds.", "退款后剩余的佣金。") }),
    commission_at_settlement: money.nullable(),
    commission_points: points
      .nullable()
      .openapi({ description: bilingual("What is left of them after refunds.", "退款后剩余的积分。") }),
    commission_points_at_settlement: points.nullable(),
    settled_at: time.nullable(),
  })
  .openapi("Place");

const levelChange = z
  .strictObject({
    id,
    from_level: z.int(),
    to_level: z.int(),
    from_hold: z.boolean().openapi({
      description: bilingual(
        "Whether the level was held before the change: tasks did not raise the member.",
        "变更前等级是否锁定：锁定时完成考核任务也不会升级。",
      ),
    }),
    to_hold: z
      .boolean()
      .openapi({ description: bilingual("Whether the level is held after the change.", "变更后等级是否锁定。") }),
    reason: z.enum(VALUE_LISTS["level_changes.reason"]),
    cause: riseCause.nullable().openapi({
      description: bilingual(
        "What let the member rise by tasks; null for another reason.",
        "使会员因考核任务升级的起因；其他原因时为 null。",
      ),
    }),
    order_id: id.nullable().openapi({
      description: bilingual(
        "The order that was settled, or whose refund was answered.",
        "所结算的订单，或退款申请得到答复的订单。",
      ),
    }),
    changed_by: actor,
    add_time: time,
  })
  .openapi("LevelChange");

const noAssessChange = z
  .strictObject({
    id,
    from_value: z.boolean(),
    to_value: z.boolean(),
    changed_by: actor,
    add_time: time,
  })
  .openapi("NoAssessChange");

const referrerChange = z
  .strictObject({
    id,
    from_uid: id.nullable().openapi({ description: "The referrer before; null for none." }),
    from_nickname: z.string().nullable(),
    to_uid: id,
    to_nickname: z.string(),
    reason: z.string(),
    changed_by: actor,
    add_time: time,
  })
  .openapi("ReferrerChange");

type ListOfMember = "get_upline" | "get_places" | "get_level_changes" | "get_no_assess_changes" | "get_spread_changes";

/** Declares a paged list about one member. */
function listOfMember<Item extends z.ZodType>(name: string, summary: string, item: Item, calls: ListOfMember) {
  return defineRoute({
    method: "get",
    path: `/adminapi/user/{uid}/${name}`,
    auth: "admin",
    tag: "Members",
    summary,
    request: { path: uidPath, query: paging },
    response: listOf(item),
    errors: ["user_not_found"],
    calls,
    standby: true,
  });
}

export const memberHistoryRoutes = [
  listOfMember(
    "upline",
    bilingual("The referral chain above a member, nearest first", "会员的上级推荐链，最近的在前"),
    uplineMember,
    "get_upline",
  ),
  listOfMember(
    "place",
    bilingual(
      "The taken places of a member's commission cycles, newest first",
      "会员佣金周期中已占用的位置，最新的在前",
    ),
    place,
    "get_places",
  ),
  listOfMember(
    "level_change",
    bilingual("Every change of a member's grade or hold, newest first", "会员等级或锁定的每次变更，最新的在前"),
    levelChange,
    "get_level_changes",
  ),
  listOfMember(
    "no_assess_change",
    bilingual("Every change of a member's no-assess flag, newest first", "会员免考核标记的每次变更，最新的在前"),
    noAssessChange,
    "get_no_assess_changes",
  ),
  listOfMember(
    "spread_change",
    bilingual(
      "Every referrer that an administrator has set for a member, newest first",
      "管理员为会员设置推荐人的每次记录，最新的在前",
    ),
    referrerChange,
    "get_spread_changes",
  ),
] as const;
