import { formatAmount, MONEY_DECIMALS, POINTS_DECIMALS, RATIO_DECIMALS } from "./amounts.ts";
import { asMoney, asPoints } from "./events.ts";
import { commissionOf, levelShares, pointsOfCommission } from "./rules.ts";
import { raiseAbove } from "./rises.ts";
import type { BillEntry, Cycle, Grant, Order, Settlement } from "./state.ts";
import { hasQueueGoods, isPaid, isReported, queueBase, queueUnits, reject, type Store } from "./store.ts";

/** Settles an order unless it is settled: place and commission, then points by level, then rises. */
export function settle(store: Store, number: number): void {
  const order = store.order(number);
  if (!isPaid(order) || !hasQueueGoods(order)) reject("order_state_conflict");
  if (order.settlement) {
    store.jobs.delete(number);
    return;
  }
  if (store.broken.includes(number)) reject("settlement_is_broken");
  const settlement: Settlement = {
    state: queueUnits(order) === 0 ? "refunded" : "settled",
    base: queueBase(order),
    units: queueUnits(order),
    reason: null,
    earner: 0,
    cycleNo: null,
    place: null,
    placeIsFreed: false,
    cyclePlan: null,
    ratio: null,
    rate: null,
    commission: 0n,
    commissionPoints: 0n,
    settledAt: store.now,
  };
  const chain = paidChain(store, order);
  const decided = findEarner(store, order, settlement, chain);
  if (typeof decided === "string") settlement.reason = decided;
  else payCommission(store, number, settlement, decided);
  if (settlement.base > 0n && !order.isBelowMinimum) payLevelPoints(store, number, settlement, chain);
  if (settlement.commission > 0n) {
    const { cycleNo, place, commission, commissionPoints } = settlement;
    const payload = { amount: asMoney(commission), points: asPoints(commissionPoints), cycle_no: cycleNo, place };
    store.tell("commission.earned", number, settlement.earner, payload, `order ${number}`);
  }
  order.settlement = settlement;
  store.jobs.delete(number);
  if (settlement.state === "settled")
    raiseAbove(store, order.buyer, { kind: "order", source: `order ${number}`, order: number });
}

/** The members whom the order can pay, nearest first: from the referrer when it was made, up the tree as it is now. */
function paidChain(store: Store, order: Order): number[] {
  if (order.referrer === 0) return [];
  const chain = [order.referrer, ...store.upline(order.referrer)];
  return chain.slice(0, store.plan(order.plan!).maxDepth ?? chain.length);
}

/** The earner, or the reason why nobody earns. */
function findEarner(store: Store, order: Order, settlement: Settlement, chain: number[]): number | string {
  if (settlement.state === "refunded") return "refunded";
  if (order.isBelowMinimum) return "below_minimum";
  if (settlement.base === 0n) return "zero_base";
  if (chain.length === 0) return "no_referrer";
  const { scope } = store.plan(order.plan!);
  const candidates = scope === "direct" ? chain.slice(0, 1) : chain;
  const earner = candidates.find((member) => isEligible(store, member, order));
  if (earner !== undefined) return earner;
  if (scope === "umbrella") return "nobody_eligible";
  return store.member(chain[0]!).left ? "referrer_left" : "referrer_not_eligible";
}

/**
 * R4: the member has not left, and has an own reported order, paid no later than the order to settle, and not refunded.
 */
function isEligible(store: Store, member: number, order: Order): boolean {
  if (store.member(member).left) return false;
  return store.orders.some((own) => own.buyer === member && isReported(own) && own.paidAt! <= order.paidAt!);
}

function payCommission(store: Store, number: number, settlement: Settlement, earner: number): void {
  const cycle = openCycle(store, earner, store.order(number).plan!);
  const index = cycle.places.indexOf(null);
  cycle.places[index] = number;
  cycle.isClosed = !cycle.places.includes(null);

  const plan = store.plan(cycle.plan);
  settlement.earner = earner;
  settlement.cycleNo = store.member(earner).cycles.length;
  settlement.place = index + 1;
  settlement.cyclePlan = cycle.plan;
  settlement.ratio = plan.tierRatios[index]!;
  const { payoutCap } = store.plans.at(-1)!;
  settlement.rate = settlement.ratio < payoutCap ? settlement.ratio : payoutCap;
  settlement.commission = commissionOf(settlement.base, settlement.rate);
  settlement.commissionPoints = pointsOfCommission(settlement.commission, plan.pointsPerBrokerage);

  grant(store, number, earner, "commission", settlement.rate, settlement.commission, {
    type: "brokerage",
    source: "cycle",
    basis: formatAmount(settlement.base, MONEY_DECIMALS),
    rate: formatAmount(settlement.rate, RATIO_DECIMALS),
  });
  grant(store, number, earner, "commission_points", plan.pointsPerBrokerage, settlement.commissionPoints, {
    type: "frozen_points_brokerage",
    source: "cycle",
    basis: formatAmount(settlement.commission, MONEY_DECIMALS),
    rate: formatAmount(plan.pointsPerBrokerage, POINTS_DECIMALS),
  });
}

/** The member's open cycle; a new one opens with the plan of the order that needs it. */
function openCycle(store: Store, member: number, plan: number): Cycle {
  const { cycles } = store.member(member);
  const last = cycles.at(-1);
  if (last && !last.isClosed) return last;
  const opened = { plan, places: Array<null>(store.plan(plan).peoplePerCycle).fill(null), isClosed: false };
  cycles.push(opened);
  return opened;
}

/**
 * R5, R6, R7, at the levels held before this order raises any member. Who has left counts as a level without any
 * points.
 */
function payLevelPoints(store: Store, number: number, settlement: Settlement, chain: number[]): void {
  const nothing = { directPoints: 0n, umbrellaPoints: 0n };
  const shares = levelShares(
    chain.map((member) => (store.member(member).left ? nothing : store.level(store.member(member).level))),
  );
  chain.forEach((member, index) => {
    const { perUnit, passedOn } = shares[index]!;
    grant(store, number, member, "level_points", perUnit, perUnit * BigInt(settlement.units), {
      type: "frozen_points_brokerage",
      source: index === 0 ? "direct" : "umbrella",
      basis: settlement.units.toString(),
      rate: formatAmount(perUnit, POINTS_DECIMALS),
      level: store.member(member).level,
      passedOn,
    });
  });
}

function grant(
  store: Store,
  number: number,
  member: number,
  kind: Grant["kind"],
  rate: bigint,
  amount: bigint,
  entry: Pick<BillEntry, "type" | "source" | "basis" | "rate"> & Partial<BillEntry>,
): void {
  const isMoney = kind === "commission";
  const isBooked = store.book(member, {
    brokerage: isMoney ? amount : 0n,
    frozen: isMoney ? 0n : amount,
    available: 0n,
    order: number,
    level: null,
    passedOn: null,
    reverses: null,
    ...entry,
  });
  if (isBooked)
    store
      .order(number)
      .grants.push({ member, kind, rate, remaining: amount, billPosition: store.member(member).bill.length });
}
