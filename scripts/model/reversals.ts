import { formatAmount, MONEY_DECIMALS } from "./amounts.ts";
import { giveBack } from "./leavers.ts";
import { commissionOf, pointsOfCommission } from "./rules.ts";
import type { Grant, Order } from "./state.ts";
import { queueBase, queueUnits, type Store } from "./store.ts";

/**
 * Reduces every grant of the order to what the rest of it should have paid, at the same place, ratio and levels.
 * @returns the money that was taken back
 */
export function reverseGrants(store: Store, number: number): { member: number; amount: bigint }[] {
  const order = store.order(number);
  const reversed: { member: number; amount: bigint }[] = [];
  giveForfeitsBack(store, order);
  for (const grant of order.grants) {
    const { basis, amount } = whatIsLeft(order, grant);
    const excess = grant.remaining - amount;
    const { frozen } = store.member(grant.member);
    const fromFrozen = excess < frozen ? excess : frozen;
    const isMoney = grant.kind === "commission";
    const original = store.member(grant.member).bill[grant.billPosition - 1]!;
    store.book(grant.member, {
      ...original,
      type: isMoney ? "brokerage_reversal" : "frozen_points_reversal",
      brokerage: isMoney ? -excess : 0n,
      frozen: isMoney ? 0n : -fromFrozen,
      available: isMoney ? 0n : fromFrozen - excess,
      basis,
      passedOn: null,
      reverses: grant.billPosition,
    });
    if (isMoney && excess > 0n) reversed.push({ member: grant.member, amount: excess });
    grant.remaining = amount;
  }
  return reversed;
}

function giveForfeitsBack(store: Store, order: Order): void {
  const excess = (member: number, isMoney: boolean) =>
    order.grants
      .filter((grant) => grant.member === member && (grant.kind === "commission") === isMoney)
      .reduce((total, grant) => total + grant.remaining - whatIsLeft(order, grant).amount, 0n);
  const members = [...new Set(order.grants.map((grant) => grant.member))].sort((one, other) => one - other);
  for (const member of members) giveBack(store, member, excess(member, true), excess(member, false));
}

function whatIsLeft(order: Order, grant: Grant): { basis: string; amount: bigint } {
  const base = queueBase(order);
  const units = base === 0n ? 0 : queueUnits(order);
  const commission = commissionOf(base, order.settlement!.rate ?? 0n);
  switch (grant.kind) {
    case "commission":
      return { basis: formatAmount(base, MONEY_DECIMALS), amount: commission };
    case "commission_points":
      return { basis: formatAmount(commission, MONEY_DECIMALS), amount: pointsOfCommission(commission, grant.rate) };
    case "level_points":
      return { basis: units.toString(), amount: grant.rate * BigInt(units) };
  }
}

/** Completed cycles stay completed: their places never become free again. */
export function freePlace(store: Store, number: number): void {
  const settlement = store.order(number).settlement!;
  if (settlement.earner === 0 || settlement.placeIsFreed) return;
  const cycle = store.member(settlement.earner).cycles[settlement.cycleNo! - 1]!;
  if (cycle.isClosed) return;
  cycle.places[settlement.place! - 1] = null;
  settlement.placeIsFreed = true;
}
