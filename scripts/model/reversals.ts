import { takenBack } from "../../kit/rules/balances.ts";
import { amountOf, basisOf, isFull } from "../../kit/rules/settlement.ts";
import { giveBack } from "./leavers.ts";
import { basisText } from "./settlement.ts";
import type { Grant, Order } from "./state.ts";
import type { Store } from "./store.ts";

/**
 * Reduces every grant of the order to what the rest of it should have paid, at the same place, ratio and levels.
 * @returns the money that was taken back
 */
export function reverseGrants(store: Store, number: number): { member: number; amount: bigint }[] {
  const order = store.order(number);
  const reversed: { member: number; amount: bigint }[] = [];
  giveForfeitsBack(store, order);
  for (const grant of order.grants) {
    const isMoney = grant.kind === "commission";
    const { bill, frozen: before } = store.member(grant.member);
    const { basis, excess } = whatIsLeft(order, grant);
    const { money, frozen, available } = takenBack(isMoney, excess, before);
    store.book(grant.member, {
      ...bill[grant.billPosition - 1]!,
      type: isMoney ? "brokerage_reversal" : "frozen_points_reversal",
      brokerage: money,
      frozen,
      available,
      basis: basisText(grant.kind, basis),
      passedOn: null,
      reverses: grant.billPosition,
    });
    if (isMoney && excess > 0n) reversed.push({ member: grant.member, amount: excess });
    grant.remaining -= excess;
  }
  return reversed;
}

function giveForfeitsBack(store: Store, order: Order): void {
  const excess = (member: number, isMoney: boolean) =>
    order.grants
      .filter((grant) => grant.member === member && (grant.kind === "commission") === isMoney)
      .reduce((total, grant) => total + whatIsLeft(order, grant).excess, 0n);
  const members = [...new Set(order.grants.map((grant) => grant.member))].sort((one, other) => one - other);
  for (const member of members) giveBack(store, member, { money: excess(member, true), points: excess(member, false) });
}

function whatIsLeft({ lines, settlement }: Order, grant: Grant): { basis: bigint; excess: bigint } {
  const basis = basisOf(grant.kind, lines, settlement!.rate);
  return { basis, excess: grant.remaining - amountOf(grant, basis) };
}

/** Completed cycles stay completed: their places never become free again. */
export function freePlace(store: Store, number: number): void {
  const settlement = store.order(number).settlement!;
  const { earner, cycleNo, place, placeIsFreed } = settlement;
  if (earner === 0 || placeIsFreed || isFull(store.cycle(earner, cycleNo!)!)) return;
  store.member(earner).cycles[cycleNo! - 1]!.places[place! - 1] = null;
  settlement.placeIsFreed = true;
}
