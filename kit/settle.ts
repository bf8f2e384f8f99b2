// Settlements, and the rises that follow from what makes orders count.
import type { History, Order } from "./history.ts";
import { gradesReached } from "./rules/levels.ts";
import { isCounted } from "./rules/orders.ts";
import { amountOf, basisOf, decideSettlement } from "./rules/settlement.ts";

/** Settles an order: the commission of a place, its points, points by level, then rises. */
export function settle(history: History, order: Order): void {
  const { referrer } = order;
  const { settlement, grants } = decideSettlement(order, {
    plan: order.plan!,
    payoutCap: history.plan.payoutCap,
    above: referrer === null ? [] : [referrer, ...history.above(referrer)],
    hasLeft: (member) => history.member(member).left !== null,
    ownOrders: history.ownOrders,
    levelOf: (member) => history.level(history.member(member).level),
    cycleOf: (member) => history.cycleOf(member),
  });
  for (const { member, source, kind, rate } of grants) {
    const amount = amountOf({ kind, rate }, basisOf(kind, order.lines, settlement.rate));
    const isMoney = kind === "commission";
    history.book({
      member,
      type: isMoney ? "brokerage" : "frozen_points_brokerage",
      source: isMoney ? undefined : source,
      order,
      money: isMoney ? amount : 0n,
      frozen: isMoney ? 0n : amount,
      available: 0n,
      grant: { kind, rate },
    });
  }
  history.settle(order, { ...settlement, settledAt: history.now, placeIsFreed: false });
  if (settlement.state === "settled") raiseAbove(history, order.buyer);
}

/** Everybody above a member can rise, lowest first. */
function raiseAbove(history: History, name: string): void {
  for (const above of history.above(name)) raise(history, above);
}

export function raise(history: History, name: string): void {
  const member = history.member(name);
  member.level = gradesReached(member, history.levels, () => history.counts(name)).at(-1) ?? member.level;
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
