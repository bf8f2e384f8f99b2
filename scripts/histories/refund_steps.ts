// Steps about refunds, and about what they change: holds, members who leave, levels.
import fc from "fast-check";
import { moneyLeft } from "../../kit/rules/orders.ts";
import type { Step } from "./history.ts";
import type { Action, RefundLines, RequestLines } from "../model/actions.ts";
import { heldOf } from "../model/accounts.ts";
import { asMoney, money } from "../model/amounts.ts";
import type { Order } from "../model/state.ts";
import { isPaid, refundStatus, type Store } from "../model/store.ts";
import { isOpen } from "../model/withdrawals.ts";
import { oneOf, pick, pickFrom, pickOrder } from "./pick.ts";

const unitsOfLine = fc.record({
  line: pick,
  quantity: fc.oneof({ weight: 20, arbitrary: oneOf(1, 1, 2) }, { weight: 1, arbitrary: oneOf(0, 5) }),
});
export const requestLines = fc.option(fc.array(unitsOfLine, { minLength: 1, maxLength: 2 }), { freq: 2, nil: null });
/** How much of what is left: in a thousand, or in cents. */
const partOfLeft = oneOf(
  "1/1000",
  "333/1000",
  "333/1000",
  "500/1000",
  "999/1000",
  "1000/1000",
  "+1 cent",
  "-1 cent",
  "0",
  "0.001",
);
const refundLines = fc.option(
  fc.array(
    fc.oneof(
      { weight: 2, arbitrary: unitsOfLine },
      { weight: 1, arbitrary: fc.record({ line: pick, part: partOfLeft }) },
    ),
    {
      minLength: 1,
      maxLength: 2,
    },
  ),
  { freq: 2, nil: null },
);
/** Units or amounts of lines, an amount of the order as a whole, or freight alone; with freight or without. */
export const refundStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("refund" as const),
      order: pick,
      lines: refundLines,
      freight: oneOf(null, null, null, "0", "500/1000", "1000/1000", "+1 cent"),
      answersRequest: oneOf(null, null, null, true, false),
      ref: fc.constant(null),
    }),
  },
  // What is repeated under a reference.
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("refund" as const), order: pick, lines: refundLines, ref: oneOf("a", "b") }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("refund" as const),
      order: pick,
      whole: partOfLeft,
      ref: fc.constant(null),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("refund" as const),
      order: pick,
      lines: fc.constant([]),
      freight: oneOf("333/1000", "1000/1000"),
      ref: fc.constant(null),
    }),
  },
);

/** A request for a refund, what happens to the order meanwhile, and the answer. */
export const ask = fc.record({
  do: fc.constant("ask" as const),
  order: pick,
  lines: requestLines,
  meanwhile: fc.option(refundStep, { freq: 2, nil: null }),
  answer: fc.oneof(
    { weight: 1, arbitrary: fc.record({ do: oneOf("refuse_refund" as const, "take_back_refund" as const) }) },
    { weight: 2, arbitrary: refundStep },
  ),
});
/** Commission is withdrawn, or matures, while a refund of what earned it is asked for. */
export const hold = fc.record({
  do: fc.constant("hold" as const),
  order: pick,
  lines: requestLines,
  withdraws: oneOf("before", "before", "meanwhile", "never"),
  states: fc.array(oneOf("approved" as const, "paying" as const, "paid" as const, "refused" as const), {
    minLength: 1,
    maxLength: 3,
  }),
  repeatsHeld: fc.boolean(),
});
/**
 * A member finishes what is open, leaves, and then perhaps an order is refunded that paid them, or one of their own.
 */
export const depart = fc.record({
  do: fc.constant("depart" as const),
  member: pick,
  isDeletion: oneOf(true, true, false),
  then: oneOf("nothing", "refund", "own refund"),
  lines: refundLines,
});
/** An order that does not count when it is settled, or not for somebody who could rise by it, and then does. */
export const rise = fc.record({
  do: fc.constant("rise" as const),
  buyer: pick,
  by: oneOf("refusal", "taking back", "grant", "assess", "hold", "refer"),
  quantity: oneOf(1, 2, 3),
});

interface PickedRefund {
  order: number;
  lines?: { line: number; quantity?: number; part?: string }[] | null;
  whole?: string;
  freight?: string | null;
  answersRequest?: boolean | null;
  ref: string | null;
}

/** Usually a request that can be made. */
export function requestOf(
  step: { order: number; lines: RequestLines },
  store: Store,
): Extract<Action, { do: "request_refund" }> {
  const isAskable = (each: Order) => isPaid(each) && refundStatus(each) !== 2 && each.receivedAt === null;
  const order = pickOrder(step.order, store, isAskable);
  const lineCount = store.orders[order - 1]?.lines.length ?? 0;
  const lines = step.lines?.map(({ line, quantity }) => ({ line: pickFrom(line, lineCount), quantity })) ?? null;
  return { do: "request_refund", order, lines };
}

/** A refund of a part of what is left of an order. */
export function refundOf(step: PickedRefund, store: Store, chosen?: number): Extract<Action, { do: "refund" }> {
  const number =
    chosen ??
    pickOrder(step.order, store, (each) => isPaid(each) && (refundStatus(each) !== 2 || step.lines?.length === 0));
  const order = store.orders[number - 1];
  const lines =
    step.lines?.map(({ line: picked, quantity = 0, part }) => {
      const line = pickFrom(picked, order?.lines.length ?? 0);
      const left = order && line > 0 ? moneyLeft([order.lines[line - 1]!]) : 0n;
      return part === undefined ? { line, quantity } : { line, amount: amountOf(part, left) };
    }) ?? null;
  const wholeLeft = moneyLeft(order?.lines ?? []);
  return {
    do: "refund",
    order: number,
    lines,
    ...(step.whole !== undefined && { amount: amountOf(step.whole, wholeLeft) }),
    ...(typeof step.freight === "string" && { freight: amountOf(step.freight, order?.freight ?? 0n) }),
    ...(typeof step.answersRequest === "boolean" && { answersRequest: step.answersRequest }),
    ref: step.ref,
  };
}

/** A part of an amount, at least 0. */
function amountOf(part: string, whole: bigint): string {
  const [numerator, denominator] = part.split("/");
  if (denominator !== undefined) return asMoney((whole * BigInt(numerator!)) / BigInt(denominator));
  if (!part.endsWith("cent")) return part;
  const near = whole + (part.startsWith("+") ? 1n : -1n);
  return asMoney(near < 0n ? 0n : near);
}

/** The amount that refund requests hold of withdrawals, if an administrator repeats it. */
export function repeated(step: Step, store: Store, withdrawals: number[]): { held?: string } {
  const found = withdrawals.flatMap((number) => store.withdrawals[number - 1] ?? []);
  const held = found.reduce((sum, each) => sum + heldOf(store, each), 0n);
  return step.repeatsHeld && held > 0n ? { held: asMoney(held) } : {};
}

/**
 * Nobody leaves who has decided something: it names the account that decided. Nor does somebody whose payout waits for
 * its account.
 */
export function leaving(store: Store, member: number, isDeletion: boolean): Action[] {
  const isAwaited = store.withdrawals.some((each) => each.member === member && isOpen(each));
  if (member === 0 || store.administrators.has(member) || (isAwaited && !isDeletion)) return [];
  return [{ do: "leave", member, isDeletion }];
}

/** Orders of which a member has earned commission that is not taken back. */
function earning(store: Store, makesSense: (order: Order) => boolean): number[] {
  const isEarning = ({ grants }: Order) =>
    grants.some(({ kind, remaining }) => kind === "commission" && remaining > 0n);
  return store.orders.flatMap((order, index) => (isEarning(order) && makesSense(order) ? [index + 1] : []));
}

export function askOf(picked: Step, store: Store): Action[] {
  const { order, lines, meanwhile, answer } = picked as never as {
    order: number;
    lines: RequestLines;
    meanwhile: object | null;
    answer: { do: string };
  };
  const request = requestOf({ order, lines }, store);
  const onSame = (step: object): Action => ({ ...refundOf(step as never, store, request.order), order: request.order });
  return [
    request,
    ...(meanwhile ? [onSame(meanwhile)] : []),
    answer.do === "refund" ? onSame(answer) : ({ do: answer.do, order: request.order } as Action),
  ];
}

export function holdOf(picked: Step, store: Store): Action[] {
  const {
    order: number,
    withdraws,
    states,
    lines,
  } = picked as never as {
    order: number;
    withdraws: string;
    states: "paid"[];
    lines: RequestLines;
  };
  const { setup, order, member, most, lineCount, holdingDays } = someEarning(store, number);
  const request: Action = {
    do: "request_refund",
    order,
    lines: lines?.slice(0, 1).map(({ line }) => ({ line: pickFrom(line, lineCount), quantity: 1 })) ?? null,
  };
  const withdrawal = store.withdrawals.length + 1;
  const amount = asMoney(most);
  const held = picked.repeatsHeld ? { held: amount } : {};
  const pay: Action[] = [
    { do: "withdraw", member, amount, method: "bank" },
    ...(withdraws === "before" ? [request] : []),
    ...states.map((state): Action =>
      state === "paid" || state === "refused"
        ? { do: "end_withdrawal", withdrawal, state, ...held }
        : { do: "advance_withdrawal", withdrawal, state, ...held },
    ),
  ];
  return [
    ...setup,
    { do: "receive", order },
    ...(withdraws === "before" ? [] : [request]),
    { do: "wait", minutes: 1440 * holdingDays },
    { do: "write_due_events" },
    ...(withdraws === "never" ? [] : pay),
  ];
}

interface Earning {
  /** What makes the order, if there is none. */
  setup: Action[];
  order: number;
  member: number;
  /** What the member can withdraw of it. */
  most: bigint;
  lineCount: number;
  holdingDays: number;
}

/** An order that has paid a member and was not received, or one that is made. */
function someEarning(store: Store, number: number): Earning {
  const isHere = ({ state, grants }: Order) =>
    ["paid", "delivered"].includes(state) && !store.member(grants[0]!.member).left;
  const orders = earning(store, isHere);
  if (orders.length > 0) {
    const order = orders[number % orders.length]!;
    const { grants, plan, lines } = store.order(order);
    const { member, remaining } = grants.find(({ kind }) => kind === "commission")!;
    const { brokerage } = store.member(member);
    const most = brokerage > 0n && brokerage < remaining ? brokerage : remaining;
    return { setup: [], order, member, most, lineCount: lines.length, holdingDays: store.plan(plan!).holdingDays };
  }
  const [member, own] = [store.members.length + 1, store.orders.length + 1];
  const buys = (buyer: number, order: number): Action[] => [
    { do: "create", buyer, items: [{ product: 1, quantity: 1 }] },
    { do: "pay", order, ref: `payment ${order}` },
  ];
  const setup: Action[] = [
    { do: "sign_up", under: 0 },
    ...buys(member, own),
    { do: "sign_up", under: member },
    ...buys(member + 1, own + 1),
    { do: "run_jobs", limit: 1000 },
  ];
  return {
    setup,
    order: own + 1,
    member,
    most: money("1.00"),
    lineCount: 1,
    holdingDays: store.plans.at(-1)!.holdingDays,
  };
}

export function departOf(picked: Step, store: Store): Action[] {
  const {
    member: number,
    isDeletion,
    then,
    lines,
  } = picked as never as {
    member: number;
    isDeletion: boolean;
    then: string;
    lines: RefundLines;
  };
  if (number % 2 === 0) {
    // Somebody who has earned something, and what they earned is refunded.
    const { setup, order, member } = someEarning(store, number);
    const refund = refundOf({ order: 0, lines: null, ref: null }, store, order);
    const own = setup.length > 0 ? [{ do: "receive" as const, order: order - 1 }] : [];
    const leaves: Action[] =
      setup.length > 0 ? [{ do: "leave", member, isDeletion }] : leaving(store, member, isDeletion);
    return [...setup, { do: "receive", order }, ...own, ...leaves, ...(then === "nothing" ? [] : [refund])];
  }
  const member = pickFrom(number, store.members.length);
  const own = store.orders.flatMap(({ buyer }, index) => (buyer === member ? [index + 1] : []));
  const finish = own.flatMap((order): Action[] => {
    const { state } = store.order(order);
    if (state === "unpaid") return [{ do: "cancel", order }];
    const answered: Action[] = refundStatus(store.order(order)) === 1 ? [{ do: "refuse_refund", order }] : [];
    return state === "paid" || state === "delivered" ? [...answered, { do: "receive", order }] : answered;
  });
  const paying =
    then === "own refund" ? own : earning(store, ({ grants }) => grants.some((grant) => grant.member === member));
  const order = paying[number % paying.length];
  const refund = refundOf({ order: 0, lines, ref: null }, store, order);
  return [
    ...finish,
    ...leaving(store, member, isDeletion),
    ...(then === "nothing" || order === undefined ? [] : [refund]),
  ];
}

export function riseOf(picked: Step, store: Store): Action[] {
  const { buyer: number, by, quantity } = picked as never as { buyer: number; by: string; quantity: number };
  const buyers = store.members.flatMap(({ referrer, left }, index) => (referrer !== 0 && !left ? [index + 1] : []));
  if (buyers.length === 0) return [];
  const member = buyers[number % buyers.length]!;
  const { referrer } = store.member(member);
  const { level } = store.member(referrer);
  const order = store.orders.length + 1;
  const joins = by === "refer";
  const buyer = joins ? store.members.length + 1 : member;
  const lines = [{ line: 1, quantity: 1 }];
  const [before, after] = {
    refusal: [[{ do: "request_refund", order, lines: null }], [{ do: "refuse_refund", order }]],
    "taking back": [[{ do: "request_refund", order, lines: null }], [{ do: "take_back_refund", order }]],
    grant: [[{ do: "request_refund", order, lines: null }], [{ do: "refund", order, lines, ref: null }]],
    assess: [[{ do: "no_assess", member, value: true }], [{ do: "no_assess", member, value: false }]],
    hold: [
      [{ do: "set_level", member: referrer, grade: level, hold: true }],
      [{ do: "set_level", member: referrer, grade: level, hold: false }],
    ],
    refer: [[], [{ do: "bind", member: buyer, under: member }]],
  }[by] as [Action[], Action[]];
  return [
    ...(joins ? [{ do: "sign_up" as const, under: 0 }] : []),
    { do: "create", buyer, items: [{ product: 1, quantity }] },
    { do: "pay", order, ref: `payment ${order}` },
    ...before,
    { do: "run_jobs", limit: 1000 },
    ...after,
  ];
}
