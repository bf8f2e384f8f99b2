import fc from "fast-check";
import { taskTypes } from "../../kit/format.ts";
import { account } from "../model/accounts.ts";
import { asMoney, money } from "../model/amounts.ts";
import { TRANSFER_LIMITS } from "../model/transfer_terms.ts";
import { isOpen } from "../model/withdrawals.ts";
import {
  type Action,
  type Item,
  type LevelSetting,
  type Opening,
  type PlanChange,
  type Provider,
  TRANSFER_STATES,
  type TaxMethod,
  type WithdrawalMethod,
} from "../model/actions.ts";
import { PLANNER_SETTINGS } from "../testing/planner.ts";
import { refundStatus, type Store } from "../model/store.ts";
import { oneOf, pick, pickFrom, pickOrder } from "./pick.ts";
import {
  ask,
  askOf,
  depart,
  departOf,
  hold,
  holdOf,
  leaving,
  refundOf,
  refundStep,
  repeated,
  requestLines,
  requestOf,
  rise,
  riseOf,
} from "./refund_steps.ts";

/** A step of a random history. It is converted to actions when the existing members and orders are known. */
export type Step = { [key: string]: unknown } & {
  do:
    | Action["do"]
    | "buy"
    | "buy_at_once"
    | "keep_failing"
    | "transfer"
    | "pay_out"
    | "ask"
    | "hold"
    | "depart"
    | "rise";
};

/** An administrator, or now and then the owner of the database. */
function pickAdministrator(picked: number, store: Store): number {
  const administrators = [...store.administrators, 0];
  return administrators[picked % administrators.length]!;
}

const item: fc.Arbitrary<Item> = fc.record(
  {
    product: fc.oneof({ weight: 20, arbitrary: oneOf(1, 1, 2, 3, 4, 5, 7) }, { weight: 1, arbitrary: oneOf(0, 6) }),
    quantity: fc.oneof(
      { weight: 30, arbitrary: fc.integer({ min: 1, max: 4 }) },
      { weight: 1, arbitrary: fc.constant(0) },
    ),
    discount: oneOf("0.01", "10.00", "33.33", "3600.00"),
  },
  { requiredKeys: ["product", "quantity"] },
);
/** Items of an order. A discount of one cent makes the paid amounts of units differ. */
const usualItem = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ product: oneOf(1, 1, 2, 3, 4, 5, 7), quantity: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      product: oneOf(1, 2, 3, 5, 7),
      quantity: fc.integer({ min: 1, max: 3 }),
      discount: fc.constant("0.01"),
    }),
  },
);
const usualItems = fc.array(usualItem, { minLength: 1, maxLength: 3 });
/** An order that points can pay for, with queue goods or without. */
const usualPoints = fc.record({
  usePoints: oneOf("100000", "100000", "3.3333", "1", "0.0001"),
  items: fc
    .tuple(
      usualItems,
      fc.array(fc.record({ product: oneOf(5, 7, 7), quantity: fc.integer({ min: 1, max: 3 }) }), {
        minLength: 1,
        maxLength: 2,
      }),
    )
    .map(([some, payable]) => [...payable, ...some.slice(1)]),
});
const ratioText = fc.oneof(
  oneOf("0", "0.2", "0.33333", "0.5", "1"),
  fc.integer({ min: 0, max: 99_999 }).map((n) => `0.${String(n).padStart(5, "0")}`),
);
export const planChange: fc.Arbitrary<PlanChange> = fc.record(
  {
    tierRatios: fc.array(fc.oneof({ weight: 40, arbitrary: ratioText }, { weight: 1, arbitrary: fc.constant("1.2") }), {
      minLength: 1,
      maxLength: 4,
    }),
    scope: oneOf("direct" as const, "umbrella" as const),
    timing: oneOf("on_pay" as const, "on_pay" as const, "confirm" as const),
    pointsPerBrokerage: oneOf("0", "1", "1", "0.3333", "2.5"),
    maxDepth: oneOf(null, null, null, 1, 2, 3),
    payoutCap: oneOf("1", "1", "0.5", "0.2", "0.05"),
    minimumBase: oneOf("0.01", "0.01", "20.00", "4000.00"),
    holdingDays: oneOf(7, 7, 0, 1, 30),
  },
  { requiredKeys: [] },
);
const wrongPlan: fc.Arbitrary<PlanChange> = oneOf(
  { tierRatios: ["0.5"], peoplePerCycle: 2 },
  { tierRatios: ["0.1", "0.2"], peoplePerCycle: 1 },
);

const gradeAbove = fc.record({
  directPoints: oneOf(0, 5_000_000, 3_333, 25_001),
  umbrellaPoints: oneOf(0, 3_000_000, 3_333, 12_345),
  isActive: oneOf(true, true, true, true, false),
  tasks: fc.uniqueArray(oneOf(...taskTypes), { minLength: 1, maxLength: 2 }),
  target: oneOf(0, 0, 1, 1, 2),
});

/** Levels whose points and targets increase with the grade, so that they are accepted. */
export const levelSettings: fc.Arbitrary<LevelSetting[]> = fc
  .array(gradeAbove, { minLength: 1, maxLength: 4 })
  .map((grades) => {
    const levels: LevelSetting[] = [{ grade: 0, directPoints: "0", umbrellaPoints: "0", isActive: true, tasks: {} }];
    let [direct, umbrella, target] = [0, 0, 1];
    for (const grade of grades) {
      direct += grade.directPoints;
      umbrella += grade.umbrellaPoints;
      target += grade.target;
      levels.push({
        grade: levels.length,
        directPoints: (direct / 10_000).toFixed(4),
        umbrellaPoints: (umbrella / 10_000).toFixed(4),
        isActive: grade.isActive,
        tasks: Object.fromEntries(grade.tasks.map((task) => [task, target])),
      });
    }
    return levels;
  });
const wrongLevels: fc.Arbitrary<LevelSetting[]> = fc
  .tuple(levelSettings, oneOf("gap", "no tasks", "falling points"))
  .map(([levels, mistake]) => {
    const last = levels.at(-1)!;
    const extra = {
      gap: { ...last, grade: last.grade + 2 },
      "no tasks": { ...last, grade: last.grade + 1, tasks: {} },
      "falling points": { ...last, grade: last.grade + 2, directPoints: "0" },
    }[mistake]!;
    return mistake === "falling points"
      ? [...levels, { ...last, grade: last.grade + 1, directPoints: "9000" }, extra]
      : [...levels, extra];
  });

const opening: fc.Arbitrary<Opening> = fc.record({
  brokerage: oneOf("100.00", "-100.00", "-720.00"),
  frozen: oneOf("0", "500"),
  available: oneOf("0", "50", "-3"),
});
const signUp = fc.record({
  do: fc.constant("sign_up" as const),
  under: pick,
  opening: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: opening }),
});
const buy = fc.record({ do: fc.constant("buy" as const), buyer: pick, items: usualItems });
/** Orders that are placed one after the other, paid in another sequence, and settled together. */
const buyAtOnce = fc.record({
  do: fc.constant("buy_at_once" as const),
  purchases: fc.array(fc.record({ buyer: pick, items: usualItems, turn: fc.nat(9) }), { minLength: 2, maxLength: 4 }),
  pause: oneOf(0, 1, 1),
});
const buyWithPoints = fc
  .tuple(pick, usualPoints, oneOf("pay", "pay", "pay", "cancel", "leave"))
  .map(([buyer, { usePoints, items }, then]): Step => ({ do: "buy", buyer, items, usePoints, then }));
/** A low rate makes the few points of a history pay much. */
const pointsTerms = fc.record({
  do: fc.constant("points_terms" as const),
  rate: oneOf("0.01", "0.01", "0.03", "1", "3.33", "100", "0"),
  maxShare: oneOf("0.5", "0.5", "0.99999", "0.33333", "0", "1"),
});
const setLevel = fc.record({
  do: fc.constant("set_level" as const),
  member: pick,
  grade: oneOf(0, 1, 1, 2, 2, 3, 4, 5),
  hold: oneOf(null, null, true, false),
});
const administrator = fc.record({ do: fc.constant("administrator" as const), member: pick });
const transferEvent = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("transfer_state" as const),
      state: oneOf("unknown" as const, "unknown" as const, ...TRANSFER_STATES),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("notify_transfer" as const),
      state: oneOf(...TRANSFER_STATES),
      differs: oneOf(null, null, null, "amount" as const, "payee" as const),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: "begin_transfer" as const }) },
  { weight: 2, arbitrary: fc.constant({ do: "cancel_transfer" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("end_withdrawal" as const),
      state: oneOf("paid" as const, "failed" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("wait" as const), minutes: oneOf(1, 59, 60, 1440, 29 * 1440, 30 * 1440) }),
  },
);
/**
 * What happens to a withdrawal to WeChat after its approval: the worker asks, and WeChat may lose it, wait for the
 * member, transfer it or not.
 */
const transfer = fc.record({
  do: fc.constant("transfer" as const),
  withdrawal: pick,
  isBegun: oneOf(true, true, true, false),
  events: fc.array(transferEvent, { maxLength: 5 }),
});
/** Two payouts of a member, one after the other, of what an adjustment brings and a part of the rest. */
const payOut = fc.record({
  do: fc.constant("pay_out" as const),
  member: pick,
  ends: fc.tuple(
    oneOf("paid" as const, "paid" as const, "failed" as const),
    oneOf("paid" as const, "paid" as const, "failed" as const),
  ),
  pause: oneOf(1, 1440, 20_160),
});
const taxMethod = fc.record({
  do: fc.constant("tax_method" as const),
  method: oneOf<TaxMethod>("none", "cumulative", "cumulative", "cumulative", "per_month", "per_payment"),
});
const allowTax = fc.record({
  do: fc.constant("allow_tax" as const),
  member: pick,
  exempt: oneOf("0.00", "0.00", "10.00", "-10.00"),
  other: oneOf("0.00", "33.33", "-33.33"),
  relief: oneOf("0.00", "1.00", "-1.00"),
});
const runJobs = fc.record({
  do: fc.constant("run_jobs" as const),
  limit: fc.oneof({ weight: 30, arbitrary: oneOf(50, 50, 1, 2) }, { weight: 1, arbitrary: oneOf(0, 1001) }),
});

const nightSessions = fc.record({ do: fc.constant("night_sessions" as const), count: oneOf(1, 2, 2, 3, 4) });

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: signUp },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("bind" as const), member: pick, under: pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("set_referrer" as const), member: pick, under: pick }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("leave" as const), member: pick, isDeletion: fc.boolean() }) },
  { weight: 22, arbitrary: buy },
  { weight: 5, arbitrary: buyAtOnce },
  { weight: 12, arbitrary: buyWithPoints },
  { weight: 3, arbitrary: pointsTerms },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("create" as const), buyer: pick, items: fc.array(item, { maxLength: 3 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("pay" as const),
      order: pick,
      ref: oneOf("its own", "its own", "its own", "one", "two", ""),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("cancel" as const), order: pick }) },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant("open_attempt" as const),
      order: pick,
      provider: oneOf("local", "local", "wechat"),
      method: oneOf("local", "local", "local", "h5"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("attempt_state" as const),
      order: pick,
      attempt: pick,
      state: oneOf("open", "closed", "closed", "unknown", "paid"),
      accepted: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("notify" as const), order: pick, attempt: pick }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: oneOf("expire" as const, "receive_delivered" as const, "write_due_events" as const) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("deliver" as const), order: pick }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("receive" as const), order: pick }) },
  { weight: 16, arbitrary: runJobs },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("settle" as const), order: pick }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("request_refund" as const), order: pick, lines: requestLines }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: oneOf("refuse_refund" as const, "take_back_refund" as const), order: pick }),
  },
  { weight: 12, arbitrary: refundStep },
  { weight: 8, arbitrary: ask },
  { weight: 6, arbitrary: hold },
  { weight: 4, arbitrary: depart },
  { weight: 8, arbitrary: rise },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("plan" as const),
      plan: fc.oneof({ weight: 8, arbitrary: planChange }, { weight: 1, arbitrary: wrongPlan }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("levels" as const),
      levels: fc.oneof({ weight: 8, arbitrary: levelSettings }, { weight: 1, arbitrary: wrongLevels }),
    }),
  },
  { weight: 3, arbitrary: setLevel },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("no_assess" as const), member: pick, value: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("release" as const), daysFromToday: oneOf(null, null, null, 0, -1, -3, 1) }),
  },
  { weight: 2, arbitrary: nightSessions },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("compact" as const), isReleased: fc.boolean(), days: oneOf(1, 31, 62, 62) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "expand" as const }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("break_settlements" as const), orders: fc.array(pick, { maxLength: 2 }) }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("sum_teams" as const), limit: oneOf(1, 2, 1000) }) },
  {
    weight: 7,
    arbitrary: fc.record({ do: fc.constant("wait" as const), minutes: oneOf(1, 5, 29, 60, 1440, 4320, 10_080) }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant("withdraw" as const),
      member: pick,
      part: oneOf("all", "all", "half", "half", "more", "parts of a cent", "too little", "least transfer"),
      method: oneOf("bank", "bank", "bank", "wechat", "wechat", "wechat", "alipay"),
      isNamed: oneOf("where needed", "where needed", "where needed", "where needed", "no", "yes"),
    }),
  },
  { weight: 10, arbitrary: transfer },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("advance_withdrawal" as const),
      withdrawal: pick,
      state: oneOf("approved", "approved", "paying"),
      repeatsHeld: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("end_withdrawal" as const),
      withdrawal: pick,
      state: oneOf("paid", "paid", "refused", "failed", "cancelled"),
      repeatsHeld: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("batch" as const),
      method: oneOf("bank", "bank", "bank", "alipay", "wechat"),
      repeatsHeld: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: taxMethod },
  { weight: 2, arbitrary: allowTax },
  { weight: 8, arbitrary: payOut },
  { weight: 2, arbitrary: administrator },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("adjust" as const),
      member: pick,
      by: pick,
      frozen: oneOf("0", "0", "5.5", "-0.0001", "20", "20.0001", "-20.0001", "-100"),
      brokerage: oneOf("0", "0", "10.00", "-10.00", "50.00", "-50.00", "50.01", "-50.01", "720.00", "-720.00", "0.001"),
      available: oneOf("0", "0", "3.3333", "-3.3333", "20", "-20.0001", "0.00001"),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("decide_adjustment" as const),
      adjustment: pick,
      by: pick,
      state: oneOf("booked", "booked", "refused"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("keep_failing" as const),
      order: pick,
      times: fc.integer({ min: 2, max: 9 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "refund" as const, order: 0, lines: [], ref: null }) },
);

/** A member with an own order, because members without one do not earn. The tree is deep rather than wide. */
const buyingMember = fc
  .tuple(fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: pick }), usualItems)
  .map(([under, items]): Step[] => [
    { do: "sign_up", under },
    { do: "buy", buyer: 0, items },
  ]);

/** The plans that Postgres chooses by itself for the few rows of a history, and others. */
const planner = fc.record({
  do: fc.constant("planner" as const),
  off: fc.subarray([...PLANNER_SETTINGS], { maxLength: 2 }),
});

/** Orders of members below one earner, which are paid in another sequence than they were placed, and then anything. */
export const sequenceHistory: fc.Arbitrary<Step[]> = fc.noBias(
  fc
    .tuple(
      levelSettings,
      fc.array(buyAtOnce, { minLength: 2, maxLength: 3 }),
      fc.array(step, { maxLength: 4, size: "max" }),
    )
    .map(([levels, purchases, steps]): Step[] => [
      { do: "levels", levels },
      { do: "sign_up", under: 0 },
      { do: "buy", buyer: 0, items: [{ product: 1, quantity: 1 }] },
      ...[0, 1, 2].map((under): Step => ({ do: "sign_up", under })),
      { do: "run_jobs", limit: 50 },
      ...purchases,
      ...steps,
    ]),
);

/**
 * A history: plans of Postgres, sessions of a night, settings with reachable grades, a way to withhold tax, a few
 * members with orders or grades, administrators, then arbitrary steps.
 */
export const history: fc.Arbitrary<Step[]> = fc.noBias(
  fc
    .tuple(
      planner,
      nightSessions,
      fc.record({ do: fc.constant("plan" as const), plan: planChange }),
      fc.record({ do: fc.constant("levels" as const), levels: levelSettings }),
      taxMethod,
      fc.array(buyingMember, { maxLength: 5, size: "max" }),
      fc.array(setLevel, { maxLength: 3, size: "max" }),
      fc.array(administrator, { maxLength: 3, size: "max" }),
      fc.array(step, { maxLength: 60, size: "max" }),
    )
    .map(([plans, nights, plan, levels, tax, members, grades, administrators, steps]) => [
      plans,
      nights,
      plan,
      levels,
      tax,
      ...members.flat(),
      ...grades,
      ...administrators,
      ...steps,
    ]),
);

/** Converts a step to actions on the current members and orders of the model. */
export function actionsOf(picked: Step, store: Store): Action[] {
  const step = picked as never as Record<
    | "buyer"
    | "grade"
    | "hold"
    | "items"
    | "lines"
    | "member"
    | "order"
    | "orders"
    | "ref"
    | "times"
    | "under"
    | "value",
    never
  > & { do: Step["do"] };
  const member = (number: number) => pickFrom(number, store.members.length);
  // Who has left does nothing any more, except what the store does with what they left.
  const present = (number: number) => (store.members[member(number) - 1]?.left ? 0 : member(number));
  const order = (number: number) => pickFrom(number, store.orders.length);
  switch (step.do) {
    case "sign_up": {
      const { opening } = picked as { opening?: Opening };
      return [{ do: step.do, under: member(step.under), ...(opening && { opening }) }];
    }
    case "bind":
    case "set_referrer":
      return [{ do: step.do, member: present(step.member), under: member(step.under) }];
    case "leave":
      return leaving(store, member(step.member), picked.isDeletion as boolean);
    case "create":
      return [{ do: step.do, buyer: present(step.buyer), items: step.items }];
    case "buy": {
      const next = store.orders.length + 1;
      const { usePoints, then } = picked as { usePoints?: string; then?: string };
      // Points are spent by members who have some, where there are any.
      const rich = store.members.flatMap(({ available, left }, index) => (available > 0n && !left ? [index + 1] : []));
      const buyer =
        usePoints !== undefined && rich.length > 0 ? rich[(step.buyer as number) % rich.length]! : present(step.buyer);
      const create: Action = { do: "create", buyer, items: step.items, ...(usePoints !== undefined && { usePoints }) };
      if (then === "leave") return [create];
      return [
        create,
        then === "cancel" ? { do: "cancel", order: next } : { do: "pay", order: next, ref: `payment ${next}` },
      ];
    }
    case "buy_at_once": {
      const { purchases, pause } = picked as never as {
        purchases: { buyer: number; items: Item[]; turn: number }[];
        pause: number;
      };
      const first = store.orders.length + 1;
      const numbers = purchases
        .map(({ turn }, index) => ({ turn, order: first + index }))
        .sort((one, other) => one.turn - other.turn)
        .map(({ order: number }) => number);
      return [
        ...purchases.map(({ buyer, items }): Action => ({ do: "create", buyer: present(buyer), items })),
        ...numbers.flatMap((number): Action[] => [
          { do: "pay", order: number, ref: `payment ${number}` },
          { do: "wait", minutes: pause },
        ]),
        { do: "run_jobs", limit: 50 },
      ];
    }
    case "pay": {
      const number = pickOrder(step.order, store, ({ state }) => state === "unpaid");
      return [{ do: step.do, order: number, ref: (step.ref as string).replace("its own", `payment ${number}`) }];
    }
    case "cancel":
      return [{ do: step.do, order: pickOrder(step.order, store, ({ state }) => state === "unpaid") }];
    case "deliver":
      return [{ do: step.do, order: order(step.order) }];
    case "receive":
      return [
        { do: step.do, order: pickOrder(step.order, store, ({ state }) => state === "paid" || state === "delivered") },
      ];
    case "open_attempt":
      return [
        {
          do: step.do,
          order: pickOrder(step.order, store, ({ state }) => state === "unpaid"),
          provider: picked.provider as Provider,
          method: picked.method as "local",
        },
      ];
    case "attempt_state":
    case "notify": {
      const number = pickOrder(step.order, store, ({ attempts }) => attempts.length > 0);
      const attempt = pickFrom(picked.attempt as number, store.orders[number - 1]?.attempts.length ?? 0);
      return [
        step.do === "notify"
          ? { do: step.do, order: number, attempt }
          : {
              do: step.do,
              order: number,
              attempt,
              state: picked.state as "open",
              accepted: picked.accepted as boolean,
            },
      ];
    }
    case "withdraw": {
      // Usually somebody who has something to withdraw.
      const rich = store.members.flatMap(({ left }, index) =>
        !left && account(store, index + 1).withdrawable > 0n ? [index + 1] : [],
      );
      const number = picked.member as number;
      const who = number % 5 === 4 || rich.length === 0 ? present(number) : rich[number % rich.length]!;
      const all = who === 0 ? 0n : account(store, who).withdrawable;
      const amount = asMoney({ half: all / 2n, more: all + 1n }[picked.part as string] ?? all);
      const odd: Record<string, string> = {
        "parts of a cent": "10.005",
        "too little": "0.99",
        "least transfer": "2.51",
      };
      const method = picked.method as WithdrawalMethod;
      const isNamed =
        picked.isNamed === "where needed"
          ? method === "wechat" && all >= money(TRANSFER_LIMITS.nameFrom)
          : picked.isNamed === "yes";
      return [{ do: step.do, member: who, amount: odd[picked.part as string] ?? amount, method, isNamed }];
    }
    case "pay_out": {
      const who = present(picked.member as never);
      if (who === 0) return [];
      const given = "1234.56";
      const amount = asMoney((account(store, who).withdrawable + money(given)) / 3n);
      const first = store.withdrawals.length + 1;
      return [
        { do: "adjust", member: who, brokerage: given, frozen: "0", available: "0", by: 0 },
        ...(picked.ends as ("paid" | "failed")[]).flatMap((state, index): Action[] => [
          { do: "withdraw", member: who, amount, method: "bank" },
          { do: "advance_withdrawal", withdrawal: first + index, state: "approved" },
          { do: "advance_withdrawal", withdrawal: first + index, state: "paying" },
          { do: "wait", minutes: picked.pause as number },
          { do: "end_withdrawal", withdrawal: first + index, state },
        ]),
      ];
    }
    case "transfer": {
      // Usually one that is open.
      const open = store.withdrawals.flatMap((each, index) => (each.transfer && isOpen(each) ? [index + 1] : []));
      const number = picked.withdrawal as number;
      const withdrawal =
        number % 5 === 4 || open.length === 0
          ? pickFrom(number, store.withdrawals.length)
          : open[number % open.length]!;
      const begun: Action[] = picked.isBegun
        ? [
            { do: "advance_withdrawal", withdrawal, state: "approved" },
            { do: "begin_transfer", withdrawal },
          ]
        : [];
      return [...begun, ...(picked.events as object[]).map((event) => ({ ...event, withdrawal }) as Action)];
    }
    case "advance_withdrawal":
    case "end_withdrawal": {
      const withdrawal = pickFrom(picked.withdrawal as number, store.withdrawals.length);
      // Only the worker moves a withdrawal to WeChat to paying.
      if (picked.state === "paying" && store.withdrawals[withdrawal - 1]?.transfer)
        return [{ do: "begin_transfer", withdrawal }];
      const held = repeated(picked, store, [withdrawal]);
      return [{ do: step.do, withdrawal, state: picked.state, ...held } as Action];
    }
    case "batch": {
      const { method } = picked as never as { method: WithdrawalMethod };
      const taken = store.withdrawals.flatMap((each, index) =>
        each.method === method && each.state === "approved" ? [index + 1] : [],
      );
      return [{ do: "batch", method, ...repeated(picked, store, taken) }];
    }
    case "administrator":
      return [{ do: step.do, member: present(step.member) }];
    case "allow_tax":
      return [
        { ...(picked as never as Extract<Action, { do: "allow_tax" }>), member: member(picked.member as number) },
      ];
    case "adjust": {
      const { brokerage, frozen, available } = picked as never as Pick<
        Extract<Action, { do: "adjust" }>,
        "brokerage" | "frozen" | "available"
      >;
      return [
        {
          do: step.do,
          member: member(step.member),
          brokerage,
          frozen,
          available,
          by: pickAdministrator(picked.by as number, store),
        },
      ];
    }
    case "decide_adjustment": {
      // Usually one that waits.
      const waiting = store.adjustments.flatMap(({ state }, index) => (state === "waiting" ? [index + 1] : []));
      const number = picked.adjustment as number;
      const adjustment =
        number % 5 === 4 || waiting.length === 0
          ? pickFrom(number, store.adjustments.length)
          : waiting[number % waiting.length]!;
      return [
        { do: step.do, adjustment, state: picked.state as "booked", by: pickAdministrator(picked.by as number, store) },
      ];
    }
    case "compact": {
      const released: Action[] = picked.isReleased ? [{ do: "release", daysFromToday: null }] : [];
      return [{ do: "wait", minutes: 1440 * (picked.days as number) }, ...released, { do: "compact" }];
    }
    case "settle": {
      const number = order(step.order);
      const each = store.orders[number - 1];
      // Nothing settles an order before the receipt that its plan requires.
      const isEarly = each?.plan != null && store.plan(each.plan).timing === "confirm" && each.state !== "received";
      return isEarly ? [] : [{ do: step.do, order: number }];
    }
    case "refuse_refund":
    case "take_back_refund":
      return [{ do: step.do, order: pickOrder(step.order, store, (each) => refundStatus(each) === 1) }];
    case "request_refund":
      return [requestOf(picked as never, store)];
    case "refund":
      return [refundOf(picked as never, store)];
    case "ask":
      return askOf(picked, store);
    case "hold":
      return holdOf(picked, store);
    case "depart":
      return departOf(picked, store);
    case "rise":
      return riseOf(picked, store);
    case "set_level":
      return [{ do: step.do, member: member(step.member), grade: step.grade, hold: step.hold as boolean | null }];
    case "no_assess":
      return [{ do: step.do, member: member(step.member), value: step.value }];
    case "break_settlements":
      return [{ do: step.do, orders: (step.orders as number[]).map(order).filter((number) => number > 0) }];
    case "keep_failing": {
      const number = pickOrder(step.order, store, (_, each) => store.jobs.has(each));
      const attempt: Action[] = [
        { do: "run_jobs", limit: 50 },
        { do: "wait", minutes: 70 },
      ];
      return [
        { do: "break_settlements", orders: number > 0 ? [number] : [] },
        ...Array<Action[]>(step.times).fill(attempt).flat(),
      ];
    }
    default:
      return [step as never];
  }
}
