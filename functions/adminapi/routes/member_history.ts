import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { riseCause } from "../../_shared/resources/levels.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, leftAt, listOf, money, paging, points, ratio, time, uidPath } from "../../_shared/resources/schemas.ts";
import { VALUE_LISTS } from "../../_shared/ground/value_lists.ts";

const uplineMember = z
  .strictObject({
    depth: z.int().min(1).openapi({ description: "1 is the referrer." }),
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
      description: "The order that took the place. Null if the member was imported with it; the following fields are then null, too.",
    }),
    uid: id.nullable().openapi({ description: "The buyer." }),
    nickname: z.string().nullable().openapi({ description: "The buyer's." }),
    base: money.nullable(),
    ratio: ratio.nullable().openapi({ description: "The rate that was paid: payout caps included." }),
    commission: money.nullable().openapi({ description: "What is left of it after refunds." }),
    commission_at_settlement: money.nullable(),
    commission_points: points.nullable().openapi({ description: "What is left of them after refunds." }),
    commission_points_at_settlement: points.nullable(),
    settled_at: time.nullable(),
  })
  .openapi("Place");

const levelChange = z
  .strictObject({
    id,
    from_level: z.int(),
    to_level: z.int(),
    from_hold: z.boolean().openapi({ description: "Whether the level was held before the change: tasks did not raise the member." }),
    to_hold: z.boolean().openapi({ description: "Whether the level is held after the change." }),
    reason: z.enum(VALUE_LISTS["level_changes.reason"]),
    cause: riseCause.nullable().openapi({ description: "What let the member rise by tasks; null for another reason." }),
    order_id: id.nullable().openapi({ description: "The order that was settled, or whose refund was answered." }),
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
  listOfMember("upline", "The referral chain above a member, nearest first", uplineMember, "get_upline"),
  listOfMember("place", "The taken places of a member's commission cycles, newest first", place, "get_places"),
  listOfMember("level_change", "Every change of a member's grade or hold, newest first", levelChange, "get_level_changes"),
  listOfMember("no_assess_change", "Every change of a member's no-assess flag, newest first", noAssessChange, "get_no_assess_changes"),
  listOfMember(
    "spread_change",
    "Every referrer that an administrator has set for a member, newest first",
    referrerChange,
    "get_spread_changes",
  ),
] as const;
