import { z } from "@hono/zod-openapi";
import { id, money, points, ratio, time } from "./schemas.ts";
import { billRow } from "./bill.ts";
import { riseCause } from "./levels.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";

/** Why nobody earned commission; null if somebody did. */
export const unearned = z
  .enum(["refunded", "below_minimum", "zero_base", "no_referrer", "referrer_not_eligible", "referrer_left", "nobody_eligible", "imported"])
  .nullable();

const cycle = z.strictObject({
  rule: z.string(),
  brokerage_scope: z.enum(VALUE_LISTS["settlements.brokerage_scope"]),
  base: money,
  earner_uid: id.nullable(),
  cycle_no: z.int().nullable(),
  place: z.int().nullable(),
  cycle_plan_version: z.int().nullable(),
  ratio: ratio.nullable(),
  rate: ratio.nullable().openapi({ description: "The share of the base that was paid: the ratio of the place, or a lower payout cap." }),
  capped_by: z.int().nullable().openapi({ description: "The plan version whose payout cap was lower than the ratio." }),
  commission: money,
  points_per_brokerage: points.nullable(),
  commission_points: points,
  place_freed_at: time.nullable(),
  reason: unearned.openapi({ description: "Why nobody earned commission." }),
  asked: z
    .array(
      z.strictObject({
        depth: z.int().min(1),
        uid: id,
        eligible: z.boolean(),
        has_left: z.boolean().openapi({ description: "Whether the member had left, and so earned nothing." }),
      }),
    )
    .openapi({ description: "The members whose eligibility was checked, from the referrer upwards." }),
});

const levelShare = z.strictObject({
  depth: z.int().min(1).openapi({ description: "1 is the buyer's referrer." }),
  uid: id,
  agent_level: z.int().openapi({ description: "The member's grade before any rise that this order caused." }),
  agent_level_name: z.string(),
  direct_points: points,
  umbrella_points: points,
  passed_on: points.openapi({ description: "The highest umbrella points per unit of the levels between the member and the buyer." }),
  rule: z.string(),
  per_unit: points,
  points,
  reason: z.string().nullable().openapi({ description: "Why this member got no points." }),
});

const orderSummary = z.strictObject({
  order_id: id,
  uid: id,
  referrer_uid: id.nullable(),
  order_plan_version: z.int().nullable(),
  paid_at: time.nullable(),
  members: z.array(z.strictObject({ uid: id, nickname: z.string() })).openapi({ description: "The names of all members in the response." }),
});

const open = orderSummary.extend({
  state: z.enum(["none", "waiting", "dead"]).openapi({ description: "none: nothing to settle yet." }),
});

const done = orderSummary.extend({
  state: z
    .enum(["settled", "refunded", "imported"])
    .openapi({ description: "imported: placed in the previous system; this store paid nobody for it." }),
  base: money,
  units: z.int().min(0),
  settled_at: time,
  level_version: z.int(),
  upline_depth: z.int().min(0),
  cycle,
  levels: z.array(levelShare),
  bill: z.array(billRow),
  held_by_refund: z
    .strictObject({
      refund_id: id,
      requested_at: time,
      uid: id.openapi({ description: "The member whose commission it is." }),
      amount: money,
      matures_at: time.nullable(),
      has_matured: z.boolean().openapi({ description: "Whether only the request keeps it from being withdrawn." }),
    })
    .nullable()
    .openapi({ description: "The open refund request of queue goods that holds the commission of the order. Null: none does." }),
  matches_the_books: z.boolean().openapi({ description: "Whether deciding the order again gives the booked amounts." }),
  level_changes: z.array(z.strictObject({ uid: id, from_level: z.int(), to_level: z.int(), cause: riseCause })),
});

/** Who was paid what for an order, and why, with all data needed to recompute it by hand. */
export const settlement = z.union([open, done]).openapi("Settlement");
