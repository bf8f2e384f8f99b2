import { z } from "@hono/zod-openapi";
import { id, money, points, ratio, time } from "./schemas.ts";
import { billRow } from "./bill.ts";
import { riseCause } from "./levels.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";
import { bilingual } from "../words/bilingual.ts";

/** Why nobody earned commission; null if somebody did. */
export const unearned = z
  .enum([
    "refunded",
    "below_minimum",
    "zero_base",
    "no_referrer",
    "referrer_not_eligible",
    "referrer_left",
    "nobody_eligible",
    "imported",
  ])
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
  rate: ratio.nullable().openapi({
    description: bilingual(
      "The share of the base that was paid: the ratio of the place, or a lower payout cap.",
      "计佣金额中实际发放的比例：位置的比例，或更低的佣金上限。",
    ),
  }),
  capped_by: z
    .int()
    .nullable()
    .openapi({
      description: bilingual(
        "The plan version whose payout cap was lower than the ratio.",
        "佣金上限低于该比例的方案版本。",
      ),
    }),
  commission: money,
  points_per_brokerage: points.nullable(),
  commission_points: points,
  place_freed_at: time.nullable(),
  reason: unearned.openapi({ description: bilingual("Why nobody earned commission.", "无人获得佣金的原因。") }),
  asked: z
    .array(
      z.strictObject({
        depth: z.int().min(1),
        uid: id,
        eligible: z.boolean(),
        has_left: z.boolean().openapi({
          description: bilingual(
            "Whether the member had left, and so earned nothing.",
            "该会员当时是否已离开，因而没有收益。",
          ),
        }),
      }),
    )
    .openapi({
      description: bilingual(
        "The members whose eligibility was checked, from the referrer upwards.",
        "依次检查是否符合条件的会员，从推荐人向上。",
      ),
    }),
});

const levelShare = z.strictObject({
  depth: z
    .int()
    .min(1)
    .openapi({ description: bilingual("1 is the buyer's referrer.", "1 为买家的推荐人。") }),
  uid: id,
  agent_level: z.int().openapi({ description: "The member's grade before any rise that this order caused." }),
  agent_level_name: z.string(),
  direct_points: points,
  umbrella_points: points,
  passed_on: points.openapi({
    description: bilingual(
      "The highest umbrella points per unit of the levels between the member and the buyer.",
      "该会员与买家之间各等级中最高的每件级差积分。",
    ),
  }),
  rule: z.string(),
  per_unit: points,
  points,
  reason: z
    .string()
    .nullable()
    .openapi({ description: bilingual("Why this member got no points.", "该会员没有积分的原因。") }),
});

const orderSummary = z.strictObject({
  order_id: id,
  uid: id,
  referrer_uid: id.nullable(),
  order_plan_version: z.int().nullable(),
  paid_at: time.nullable(),
  members: z
    .array(z.strictObject({ uid: id, nickname: z.string() }))
    .openapi({ description: bilingual("The names of all members in the response.", "响应中全部会员的姓名。") }),
});

const open = orderSummary.extend({
  state: z
    .enum(["none", "waiting", "dead"])
    .openapi({ description: bilingual("none: nothing to settle yet.", "none：尚无可结算的内容。") }),
});

const done = orderSummary.extend({
  state: z.enum(["settled", "refunded", "imported"]).openapi({
    description: bilingual(
      "imported: placed in the previous system; this store paid nobody for it.",
      "imported：原系统的订单，商城未曾为其发放。",
    ),
  }),
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
      uid: id.openapi({ description: bilingual("The member whose commission it is.", "该佣金所属的会员。") }),
      amount: money,
      matures_at: time.nullable(),
      has_matured: z.boolean().openapi({
        description: bilingual(
          "Whether only the request keeps it from being withdrawn.",
          "是否仅因该退款申请而暂不可提现。",
        ),
      }),
    })
    .nullable()
    .openapi({
      description: bilingual(
        "The open refund request of queue goods that holds the commission of the order. Null: none does.",
        "暂扣该订单佣金的报单商品退款申请；没有时为 null。",
      ),
    }),
  matches_the_books: z.boolean().openapi({
    description: bilingual(
      "Whether deciding the order again gives the booked amounts.",
      "重新计算该订单，结果是否与入账金额一致。",
    ),
  }),
  level_changes: z.array(z.strictObject({ uid: id, from_level: z.int(), to_level: z.int(), cause: riseCause })),
});

/** Who was paid what for an order, and why, with all data needed to recompute it by hand. */
export const settlement = z.union([open, done]).openapi("Settlement");
