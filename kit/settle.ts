import { least, read } from "./amounts.ts";
import { baseOf, type History, isCounted, type Order, type Settled, unitsOf } from "./history.ts";
import type { Row } from "./format.ts";

/** Settles an order: the commission of a place, its points, points by level, then rises. */
export function settle(history: History, order: Order): void {
  const chain = chainOf(history, order);
  const settled: Settled = {
    at: history.now,
    ...{ earner: null, reason: null, cycle: null, place: null, rate: null, plan: null, isFreed: false },
    isRefunded: unitsOf(order) === 0,
  };
  const found = findEarner(history, order, settled, chain);
  if ("reason" in found) settled.reason = found.reason;
  else payCommission(history, order, settled, found.earner);
  if (baseOf(order) > 0n && !order.isBelowMinimum) payLevelPoints(history, order, chain);
  history.settle(order, settled);
  if (!settled.isRefunded) raiseAbove(history, order.buyer);
}

/** Who can be paid: from the referrer of the order upwards. */
function chainOf(history: History, { referrer, plan }: Order): string[] {
  if (referrer === null) return [];
  return [referrer, ...history.above(referrer)].slice(0, plan!.max_depth ?? undefined);
}

function findEarner(
  history: History,
  order: Order,
  settled: Settled,
  chain: string[],
): { earner: string } | { reason: string } {
  if (settled.isRefunded) return { reason: "refunded" };
  if (order.isBelowMinimum) return { reason: "below_minimum" };
  if (baseOf(order) === 0n) return { reason: "zero_base" };
  if (chain.length === 0) return { reason: "no_referrer" };
  const isDirect = order.plan!.brokerage_scope === "direct";
  const earner = (isDirect ? chain.slice(0, 1) : chain).find((member) => history.isEligible(member, order));
  if (earner !== undefined) return { earner };
  if (!isDirect) return { reason: "nobody_eligible" };
  return { reason: history.member(chain[0]!).left ? "referrer_left" : "referrer_not_eligible" };
}

/** An amount that a refund computes again for what is left of the order. */
function grant(
  history: History,
  order: Order,
  member: string,
  type: Row["type"],
  source: Row["source"],
  target: () => bigint,
): void {
  const amount = target();
  const isMoney = type === "brokerage";
  history.book({
    member,
    type,
    source,
    order,
    money: isMoney ? amount : 0n,
    frozen: isMoney ? 0n : amount,
    available: 0n,
    target,
  });
}

/** The ratio of the place, reduced by the cap of the plan of the cycle and by that of the plan in force. */
function payCommission(history: History, order: Order, settled: Settled, earner: string): void {
  const { cycle, place, plan } = history.nextPlace(earner, order);
  const rate = least(
    ...[plan.tier_ratios[place - 1]!, plan.payout_cap, history.plan.payout_cap].map((ratio) => read(ratio, "ratio")),
  );
  Object.assign(settled, { earner, cycle, place, plan, rate });
  const commission = () => (baseOf(order) * rate) / 100_000n;
  grant(history, order, earner, "brokerage", undefined, commission);
  grant(
    history,
    order,
    earner,
    "frozen_points_brokerage",
    "cycle",
    () => (commission() * read(plan.points_per_brokerage, "points")) / 100n,
  );
}

/**
 * Points for each unit: direct points for the referrer, above what umbrella points exceed those of everybody below (R5,
 * R6, R7). Who has left counts as a level without any points.
 */
function payLevelPoints(history: History, order: Order, chain: string[]): void {
  let passedOn = 0n;
  const shares = chain.map((member, index) => {
    const { level: grade, left } = history.member(member);
    const level = left ? { direct_points: "0", umbrella_points: "0" } : history.level(grade);
    const umbrella = read(level.umbrella_points, "points");
    const perUnit = index === 0 ? read(level.direct_points, "points") : umbrella > passedOn ? umbrella - passedOn : 0n;
    if (umbrella > passedOn) passedOn = umbrella;
    return { member, perUnit, source: index === 0 ? ("direct" as const) : ("umbrella" as const) };
  });
  const units = () => (baseOf(order) === 0n ? 0n : BigInt(unitsOf(order)));
  for (const { member, perUnit, source } of shares)
    grant(history, order, member, "frozen_points_brokerage", source, () => perUnit * units());
}

/** Everybody above a member can rise, lowest first. */
function raiseAbove(history: History, name: string): void {
  for (const above of history.above(name)) raise(history, above);
}

/** As long as all tasks of the next grade are met. A held level stays, and that of somebody who has left. */
export function raise(history: History, name: string): void {
  const member = history.member(name);
  if (member.isHeld || member.left) return;
  const higher = history.levels
    .filter(({ grade }) => grade > member.level)
    .sort((one, other) => one.grade - other.grade);
  if (higher.length === 0) return;
  const counts = history.counts(name);
  for (const { grade, tasks } of higher) {
    if (Object.entries(tasks).some(([task, target]) => counts[task as keyof typeof counts] < target)) break;
    member.level = grade;
  }
}

/** Does what can make orders of a member count, and raises those above, if it does. */
export function andRaise(history: History, name: string, happens: () => void): void {
  const counted = () => {
    const isBelow = (buyer: string) => buyer === name || history.above(buyer).includes(name);
    const orders = [...history.orders.values()].filter(
      (order) => isBelow(order.buyer) && !history.member(order.buyer).noAssess,
    );
    return orders.filter(isCounted).length;
  };
  const before = history.member(name).referrer === null ? 0 : counted();
  happens();
  if (counted() > before) raiseAbove(history, name);
}
