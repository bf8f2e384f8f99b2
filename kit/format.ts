// The format of a vector: what happens in a store, event by event, and what must follow. kit/vector.schema.json is
// generated from it.
import { z } from "zod";

/** Decimal strings: money has two decimals, points at most four, ratios at most five. */
const money = z.string().regex(/^-?\d{1,12}\.\d{2}$/);
const points = z.string().regex(/^-?\d{1,14}(\.\d{1,4})?$/);
const ratio = z.string().regex(/^(0(\.\d{1,5})?|1(\.0{1,5})?)$/);
/** Members, orders and withdrawals have the names that the vector gives them. */
const name = z.string().regex(/^[a-z][a-z0-9_]{0,30}$/);
const count = z.int().min(0).max(1_000_000);
const day = z.iso.date();
const at = z.iso
  .datetime({ offset: true })
  .meta({ description: "When it happens. Events are in the order in which they happen." });

export const plan = z
  .strictObject({
    people_per_cycle: z.int().min(1).max(100),
    tier_ratios: z.array(ratio).min(1).meta({ description: "The k-th person of a cycle pays the k-th ratio." }),
    brokerage_scope: z
      .enum(["direct", "umbrella"])
      .meta({ description: "Who can earn: the referrer, or the nearest eligible member above." }),
    brokerage_timing: z
      .enum(["on_pay", "confirm"])
      .meta({ description: "When an order is settled: once it is paid, or with its receipt." }),
    points_per_brokerage: points.meta({ description: "Frozen points for a commission of 1.00." }),
    max_depth: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: "How many members above a buyer an order can pay; null: all." }),
    payout_cap: ratio.meta({ description: "The greatest share of the base that is paid as commission." }),
    minimum_base: money.meta({
      description: "An order with less for its queue goods pays nothing and counts for nothing.",
    }),
    holding_days: z
      .int()
      .min(0)
      .meta({ description: "Days from receipt and settlement until a commission can be withdrawn." }),
  })
  .meta({
    description:
      "The plan of commission. An order has the plan in force when it was paid, a cycle the plan of the order that opened it.",
  });

const tasks = z.strictObject({
  direct_orders: count,
  umbrella_orders: count,
  direct_members: count,
  umbrella_members: count,
});
export const taskTypes = tasks.keyof().options;

export const level = z.strictObject({
  grade: z.int().min(0).max(20),
  direct_points: points.meta({ description: "Points for each unit that a direct member buys." }),
  umbrella_points: points.meta({
    description: "Points for each unit bought below, less what is passed on from below.",
  }),
  tasks: tasks.partial().meta({ description: "What must be reached to rise to this grade." }),
});

const product = z.strictObject({
  price: money,
  is_queue_goods: z.boolean(),
  freight: money.optional().meta({ description: "For each unit. It is no part of the base." }),
});

const terms = z.strictObject({
  points_rate: money.meta({ description: "How many points pay 1.00." }),
  points_max_share: ratio.meta({ description: "The greatest share of the price of other goods that points can pay." }),
  refund_window_days: z
    .int()
    .min(0)
    .meta({ description: "For how many days after the receipt a buyer can ask for a refund." }),
});

const units = z.strictObject({ line: z.int().min(1), units: z.int().min(1) });
const concession = z
  .strictObject({ line: z.int().min(1), amount: money })
  .meta({ description: "An amount of a line that is paid back while its goods are kept." });
const held = money.optional().meta({
  description:
    "What open refund requests hold of the withdrawal. Without this amount, a step towards its payment is refused.",
});

/** An event says when it happens, and may say that the store must refuse it. */
const happens = <Name extends string, Shape extends z.ZodRawShape>(name: Name, shape: Shape) =>
  z.strictObject({
    at,
    do: z.literal(name),
    ...shape,
    refused: z.literal(true).optional().meta({ description: "The store must refuse it, and nothing may change." }),
  });

const event = z.discriminatedUnion("do", [
  happens("order", {
    order: name,
    buyer: name,
    lines: z.array(z.strictObject({ product: name, units: z.int().min(1), discount: money.optional() })).min(1),
    use_points: points.optional().meta({ description: "The most points to use." }),
  }),
  happens("pay", { order: name }),
  happens("together", { orders: z.array(name).min(2) }).meta({
    description: "Payments of several orders at the same moment, over several connections, and their settlements.",
  }),
  happens("settle", { orders: z.array(name).optional() }).meta({
    description: "What was paid and waits for its settlement is settled, in one call: all of it, or these orders.",
  }),
  happens("cancel", { order: name }),
  happens("ship", { order: name }),
  happens("receive", { order: name }),
  happens("request_refund", { order: name, lines: z.array(units).min(1).optional() }).meta({
    description: "The buyer asks for a refund of units. Without lines: all that is left.",
  }),
  happens("refuse_refund", { order: name }),
  happens("take_back_refund", { order: name }).meta({ description: "The buyer takes the open request back." }),
  happens("refund", {
    order: name,
    lines: z
      .array(z.union([units, concession]))
      .optional()
      .meta({ description: "Units or amounts of lines. No lines: freight alone." }),
    amount: money.optional().meta({
      description: "For the order as a whole, instead of lines. It is spread over what is left of the lines.",
    }),
    freight: money.optional().meta({
      description:
        "Otherwise what is left of it, with the last unit before the shipment, and nothing with other refunds.",
    }),
    answers_request: z.boolean().optional().meta({
      description: "Whether it answers the open request. Otherwise it does if it has units that were asked for.",
    }),
  }).meta({
    description:
      "Without lines and amount: what the open request asks for, and is left; without a request, all that is left.",
  }),
  happens("change_plan", { plan: plan.partial() }).meta({ description: "What is not named stays." }),
  happens("change_levels", { levels: z.array(level).min(1) }),
  happens("set_level", { member: name, grade: z.int().min(0), hold: z.boolean() }),
  happens("refer", { member: name, referrer: name }).meta({ description: "A member who had no referrer gets one." }),
  happens("set_referrer", { member: name, referrer: name }).meta({
    description: "An administrator sets or corrects a referrer, as long as nothing was decided by it.",
  }),
  happens("leave", { member: name, asked: z.boolean() }).meta({
    description:
      "The account is deleted: because the member asked for it, and gives up all that they have, or because somebody removes it.",
  }),
  happens("set_no_assess", { member: name, no_assess: z.boolean() }),
  happens("release", { day: day.optional() }).meta({
    description: "The daily release. Without a day: today, and the days missed since the first release without a day.",
  }),
  happens("request_withdrawal", { withdrawal: name, member: name, amount: money }),
  happens("end_withdrawal", { withdrawal: name, state: z.enum(["paid", "refused", "failed"]), held }),
  happens("adjust", { member: name, money, frozen: points, available: points }),
]);

export const row = z.strictObject({
  type: z.enum([
    "brokerage",
    "brokerage_reversal",
    "frozen_points_brokerage",
    "frozen_points_reversal",
    "frozen_points_release",
    "points_spent",
    "points_returned",
    "withdrawal",
    "withdrawal_returned",
    "adjustment",
  ]),
  source: z
    .enum(["cycle", "direct", "umbrella"])
    .optional()
    .meta({ description: "Of points from commission, and of their reversal." }),
  order: name.optional(),
  money: money.optional(),
  frozen: points.optional(),
  available: points.optional(),
});

const settlement = z.strictObject({
  earner: name.nullable(),
  reason: z
    .enum([
      "refunded",
      "below_minimum",
      "zero_base",
      "no_referrer",
      "referrer_left",
      "referrer_not_eligible",
      "nobody_eligible",
    ])
    .nullable()
    .meta({ description: "Why nobody earns." }),
  cycle: z.int().nullable(),
  place: z.int().nullable(),
  rate: ratio.nullable(),
});

const refund = z.strictObject({
  state: z.enum(["requested", "refunded", "partly_refunded", "refused", "taken_back"]),
  paid_back: money.meta({ description: "Freight included." }),
});

const member = z.strictObject({
  level: z.int(),
  money,
  withdrawable: money,
  held_by_refunds: money
    .optional()
    .meta({ description: "What open refund requests hold of matured commission, if anything." }),
  frozen: points,
  available: points,
  total_points_earned: points,
});

export const result = z.strictObject({
  bill: z
    .record(name, z.array(row))
    .meta({ description: "The rows of each member who has any, in the order in which they were booked." }),
  settlements: z.record(name, settlement).meta({ description: "Of the orders that are settled." }),
  refunds: z.record(name, z.array(refund)).meta({
    description: "Of each order that has any, in the order in which they were begun. A request and its answer are one.",
  }),
  members: z.record(name, member).meta({ description: "Every member, at the time of the last event." }),
  owed: money.meta({
    description:
      "What the store owes its members in money: withdrawable, maturing, held by refund requests and reserved.",
  }),
});

/** A store: its settings, its goods, and its members with their referrers. */
const store = {
  terms: terms.partial().optional(),
  plan: plan.partial().optional(),
  levels: z.array(level).optional(),
  products: z.record(name, product).optional(),
  members: z
    .record(name, name.nullable())
    .meta({ description: "Each member with the referrer, or null. A referrer stands before those referred." }),
};

export const vector = z
  .strictObject({
    $schema: z.string().optional(),
    rules: z
      .array(z.string())
      .min(1)
      .meta({ description: "R1 to R12 of the contract, or the names of the rules that were added." }),
    needs_time: z.literal(true).optional().meta({ description: "The result depends on the times of the events." }),
    says: z.string().meta({ description: "What the vector shows, with the arithmetic." }),
    ...store,
    events: z.array(event).min(1),
    expected: result,
  })
  .meta({
    title: "A vector of the rules",
    description: "What is not named has the values of defaults.json. Business days are those of Asia/Shanghai.",
  });

/** What an adapter gets before the events: everything is named. */
export const start = z.strictObject({
  terms,
  plan,
  levels: z.array(level),
  products: z.record(name, product.required()),
  members: z.record(name, name.nullable()),
});

export type Plan = z.infer<typeof plan>;
export type Level = z.infer<typeof level>;
export type Start = z.infer<typeof start>;
export type Event = z.infer<typeof event>;
export type Row = z.infer<typeof row>;
export type Result = z.infer<typeof result>;
export type Vector = z.infer<typeof vector>;
