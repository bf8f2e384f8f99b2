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
      description:
        "forfeit: a member who left gave it up, or two administrators declared it given up; above zero, a refund took back what was given up. payout: what a member who left was owed was paid outside the store.",
    }),
    state: state.openapi({ description: "waiting: a second administrator must approve it. booked: it has changed the balances." }),
    created_by: actor.openapi({ description: "The administrator who made it. Null means the owner of the database." }),
    add_time: time,
    decided_by: actor.openapi({ description: "Who approved or refused it; within the limits, who made it." }),
    decided_at: time.nullable(),
  })
  .openapi("Adjustment");

const pointsChange = z.number().min(-100_000_000).max(100_000_000).openapi({ description: "At most four decimals.", example: -12.5 });

export const adjustmentRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/adjustment",
    auth: "admin",
    tag: "Adjustments",
    summary: "Adjustments of balances, newest first",
    request: { query: cursorPaging.extend({ uid: idText.optional(), state: state.optional(), waiting: waitingFilter("adjustment") }) },
    response: logOf(adjustment),
    calls: "get_adjustments",
    standby: true,
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/adjustment",
    auth: "admin",
    tag: "Adjustments",
    summary: "Correct the balances of a member",
    description:
      "Booked at once within the limits of the settings. Above them, and always for a member who has left, it waits until a second administrator with the role owner or finance approves it. " +
      "The kinds payout and forfeit end what a member who left is still owed. A member who gave up their balances when they deleted the account is given at most what they owe. " +
      "Send an Idempotency-Key, so that a repeated request makes no second adjustment.",
    request: {
      body: z.strictObject({
        uid: id,
        reason: visibleParagraphs(500),
        brokerage: moneyChange.optional(),
        frozen_points: pointsChange.optional(),
        available_points: pointsChange.optional(),
        kind: kind
          .optional()
          .openapi({ description: "Default: correction. forfeit and payout only take, and only from a member who has left." }),
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
    summary: "Approve and book an adjustment that another administrator made",
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
    summary: "Refuse an adjustment that another administrator made",
    request: { path: idPath },
    response: adjustment,
    errors: ["own_account", "adjustment_not_found", "second_administrator_needed", "adjustment_state_conflict"],
    calls: "refuse_adjustment",
  }),
] as const;
