import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { waitingFilter } from "../../_shared/resources/waiting.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import {
  cursorPaging,
  id,
  idPath,
  idText,
  logOf,
  money,
  moneyChange,
  points,
  time,
  visibleParagraphs,
} from "../../_shared/resources/schemas.ts";
import { VALUE_LISTS } from "../../_shared/ground/value_lists.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const state = z.enum(VALUE_LISTS["adjustments.state"]);
const kind = z.enum(VALUE_LISTS["adjustments.kind"]);

const adjustment = z
  .strictObject({
    id,
    uid: id,
    nickname: z.string(),
    brokerage: money,
    frozen_points: points,
    available_points: points,
    reason: z.string(),
    kind: kind.openapi({
      description: bilingual(
        "forfeit: a member who left gave it up, or two administrators declared it given up; above zero, a refund took back what was given up. payout: what a member who left was owed was paid outside the store.",
        "forfeit：离开的会员放弃的余额，或由两位管理员确认放弃；大于零时，表示退款冲回了已放弃的部分。payout：已在商城外付清离开会员的应付余额。",
      ),
    }),
    state: state.openapi({
      description: bilingual(
        "waiting: a second administrator must approve it. booked: it has changed the balances.",
        "waiting：须由第二位管理员批准。booked：已改变余额。",
      ),
    }),
    created_by: actor.openapi({
      description: bilingual(
        "The administrator who made it. Null means the owner of the database.",
        "发起调账的管理员；null 表示数据库所有者。",
      ),
    }),
    add_time: time,
    decided_by: actor.openapi({
      description: bilingual(
        "Who approved or refused it; within the limits, who made it.",
        "批准或拒绝的人；在限额内时为发起人。",
      ),
    }),
    decided_at: time.nullable(),
  })
  .openapi("Adjustment");

const pointsChange = z
  .number()
  .min(-100_000_000)
  .max(100_000_000)
  .openapi({ description: bilingual("At most four decimals.", "最多四位小数。"), example: -12.5 });

export const adjustmentRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/adjustment",
    auth: "admin",
    tag: "Adjustments",
    summary: bilingual("Adjustments of balances, newest first", "调账，最新的在前"),
    request: {
      query: cursorPaging.extend({
        uid: idText.optional(),
        state: state.optional(),
        waiting: waitingFilter("adjustment"),
      }),
    },
    response: logOf(adjustment),
    calls: "get_adjustments",
    standby: true,
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/adjustment",
    auth: "admin",
    tag: "Adjustments",
    summary: bilingual("Correct the balances of a member", "为会员调账"),
    description: bilingual(
      "Booked at once within the limits of the settings. Above them, and always for a member who has left, it waits until a second administrator with the role owner or finance approves it. " +
        "The kinds payout and forfeit end what a member who left is still owed. A member who gave up their balances when they deleted the account is given at most what they owe. " +
        "Send an Idempotency-Key, so that a repeated request makes no second adjustment.",
      "在设置的限额内立即入账；超出时，以及会员已离开时，等待第二位具有所有者或财务角色的管理员批准。payout 与 forfeit 用于了结已离开会员的应付余额。会员注销时已放弃余额的，调账最多只能抵销其欠款。请附带 Idempotency-Key，以免重复请求造成第二笔调账。",
    ),
    request: {
      body: z.strictObject({
        uid: id,
        reason: visibleParagraphs(500),
        brokerage: moneyChange.optional(),
        frozen_points: pointsChange.optional(),
        available_points: pointsChange.optional(),
        kind: kind.optional().openapi({
          description: bilingual(
            "Default: correction. forfeit and payout only take, and only from a member who has left.",
            "默认为 correction。forfeit 与 payout 只能扣减，且仅用于已离开的会员。",
          ),
        }),
      }),
    },
    status: 201,
    response: adjustment,
    errors: ["own_account", "user_not_found", "second_administrator_needed", "adjustment_state_conflict"],
    calls: "create_adjustment",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/adjustment/{id}/approve",
    auth: "admin",
    tag: "Adjustments",
    summary: bilingual(
      "Approve and book an adjustment that another administrator made",
      "批准其他管理员发起的调账并入账",
    ),
    request: { path: idPath },
    response: adjustment,
    errors: ["own_account", "adjustment_not_found", "second_administrator_needed", "adjustment_state_conflict"],
    calls: "approve_adjustment",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/adjustment/{id}/refuse",
    auth: "admin",
    tag: "Adjustments",
    summary: bilingual("Refuse an adjustment that another administrator made", "拒绝其他管理员发起的调账"),
    request: { path: idPath },
    response: adjustment,
    errors: ["own_account", "adjustment_not_found", "second_administrator_needed", "adjustment_state_conflict"],
    calls: "refuse_adjustment",
  }),
] as const;
