import { baseOf, hasQueueGoods, unitsOf } from "../../kit/rules/orders.ts";
import {
  amountOf,
  basisOf,
  decideSettlement,
  type Found,
  type Grant,
  type Granted,
  type Settlement,
} from "../../kit/rules/settlement.ts";
import { asMoney, asPoints, asRatio } from "./amounts.ts";
import { asNumber } from "./events.ts";
import { raiseAbove } from "./rises.ts";
import type { Order } from "./state.ts";
import { isPaid, reject, type Store } from "./store.ts";

/** Settles an order unless it is settled: place and commission, then points by level, then rises. */
export function settle(store: Store, number: number): void {
  const order = store.order(number);
  if (!isPaid(order) || !hasQueueGoods(order.lines)) reject("order_state_conflict");
  if (order.settlement) {
    store.jobs.delete(number);
    return;
  }
  if (store.broken.includes(number)) reject("settlement_is_broken");
  const { settlement, grants } = decideSettlement(order, foundBy(store, order));
  const { state, reason, cycle, place, ratio, rate } = settlement;
  const amounts = { commission: 0n, commission_points: 0n, level_points: 0n };
  for (const granted of grants) amounts[granted.kind] += grant(store, number, granted, rate);
  const { commission, commission_points: commissionPoints } = amounts;
  const earner = settlement.earner ?? 0;
  if (commission > 0n) {
    const payload = { amount: asMoney(commission), points: asNumber(commissionPoints), cycle_no: cycle, place };
    store.tell("commission.earned", number, earner, payload, `order ${number}`);
  }
  order.settlement = {
    state,
    base: baseOf(order.lines),
    units: unitsOf(order.lines),
    reason,
    earner,
    cycleNo: cycle,
    place,
    placeIsFreed: false,
    cyclePlan: takePlace(store, number, settlement),
    ratio,
    rate,
    commission,
    commissionPoints,
    settledAt: store.now,
  };
  store.jobs.delete(number);
  if (state === "settled") raiseAbove(store, order.buyer, { kind: "order", source: `order ${number}`, order: number });
}

/** The members whom an order can pay: from the referrer when it was made, up the tree as it is now. */
function foundBy(store: Store, { plan, referrer }: Order): Found<number> {
  return {
    plan: store.plan(plan!),
    payoutCap: store.plans.at(-1)!.payoutCap,
    above: referrer === 0 ? [] : [referrer, ...store.upline(referrer)],
    hasLeft: (member) => store.member(member).left !== null,
    ownOrders: (member) => store.ordersOf(member),
    levelOf: (member) => store.level(store.member(member).level),
    cycleOf: (member) => store.cycle(member, store.member(member).cycles.length),
  };
}

/** Books what is granted unless it is zero. @returns the amount */
function grant(store: Store, number: number, granted: Granted<number>, commissionRate: bigint | null): bigint {
  const { member, kind, source, rate, passedOn } = granted;
  const { lines, grants } = store.order(number);
  const basis = basisOf(kind, lines, commissionRate);
  const amount = amountOf(granted, basis);
  const isMoney = kind === "commission";
  const isBooked = store.book(member, {
    type: isMoney ? "brokerage" : "frozen_points_brokerage",
    source,
    brokerage: isMoney ? amount : 0n,
    frozen: isMoney ? 0n : amount,
    available: 0n,
    order: number,
    basis: basisText(kind, basis),
    rate: isMoney ? asRatio(rate) : asPoints(rate),
    level: kind === "level_points" ? store.member(member).level : null,
    passedOn,
    reverses: null,
  });
  const billPosition = store.member(member).bill.length;
  if (isBooked) grants.push({ member, kind, rate, remaining: amount, billPosition });
  return amount;
}

/** The basis of a grant, as its row states it: money, or a number of units. */
export const basisText = (kind: Grant["kind"], basis: bigint): string =>
  kind === "level_points" ? basis.toString() : asMoney(basis);

/** Takes the place of an order, whose plan is that of a new cycle. @returns the plan of the cycle */
function takePlace(store: Store, number: number, { earner, cycle, place }: Settlement<number>): number | null {
  if (earner === null) return null;
  const { cycles } = store.member(earner);
  const plan = store.order(number).plan!;
  if (cycle! > cycles.length) cycles.push({ plan, places: Array<null>(store.plan(plan).peoplePerCycle).fill(null) });
  cycles.at(-1)!.places[place! - 1] = number;
  return cycles.at(-1)!.plan;
}
