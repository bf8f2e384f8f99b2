import { asMoney, asPoints } from "./events.ts";
import { isPaidAtProvider } from "./payments.ts";
import type { Adjustment } from "./state.ts";
import { hasGivenUp, isPaidBack, refundStatus, type Store } from "./store.ts";
import { isOpen } from "./withdrawals.ts";

const NOTHING = { brokerage: 0n, frozen: 0n, available: 0n };
type Amounts = typeof NOTHING;

const atLeastZero = (amount: bigint) => (amount > 0n ? amount : 0n);
const lesser = (one: bigint, other: bigint) => (one < other ? one : other);

/**
 * A deletion that was asked for is done unless something is in progress; then nothing happens. An account can be
 * removed at any time.
 */
export function leave(store: Store, number: number, isDeletion: boolean): string {
  const member = store.member(number);
  if (member.left || (isDeletion && isInProgress(store, number))) return "stays";
  member.left = { isDeletion, forfeit: { ...NOTHING } };
  forfeit(store, number);
  store.tell("member.left", number, number);
  return "left";
}

function isInProgress(store: Store, number: number): boolean {
  const isUnderWay = (withdrawal: (typeof store.withdrawals)[number]) =>
    withdrawal.member === number && isOpen(withdrawal);
  return (
    store.administrators.has(number) ||
    store.withdrawals.some(isUnderWay) ||
    store.orders.some((_, index) => isBusy(store, number, index + 1))
  );
}

/** An order that is not finished, or of which a refund is not: nothing tells what the provider has paid back. */
function isBusy(store: Store, number: number, orderNumber: number): boolean {
  const order = store.order(orderNumber);
  if (order.buyer !== number) return false;
  const status = refundStatus(order);
  const isPayingBack =
    isPaidAtProvider(store, orderNumber) && order.refunds.some((each) => isPaidBack(each) && each.amount > 0n);
  return status === 1 || isPayingBack || (status !== 2 && ["unpaid", "paid", "delivered"].includes(order.state));
}

/** Who asked for the deletion gives up all that they have, and at once what comes back later. What they owe stays. */
export function forfeit(store: Store, number: number): void {
  const member = store.member(number);
  if (!hasGivenUp(member)) return;
  const { left, brokerage, frozen, available } = member;
  const given = { brokerage: atLeastZero(brokerage), frozen, available: atLeastZero(available) };
  add(left.forfeit, given, 1n);
  adjust(store, number, given, -1n);
}

/**
 * Before an order takes back more than somebody who gave up everything has, so much of the forfeit is given back: they
 * gave up what was never theirs. The rest stays as a debt without a name.
 */
export function giveBack(store: Store, number: number, money: bigint, points: bigint): void {
  const member = store.member(number);
  if (!hasGivenUp(member)) return;
  const { forfeit: given } = member.left;
  // Frozen points are taken first: those that they have got since, too.
  const fromFrozen = lesser(points, member.frozen + given.frozen);
  const back = {
    brokerage: lesser(money, given.brokerage),
    frozen: lesser(fromFrozen, given.frozen),
    available: lesser(points - fromFrozen, given.available),
  };
  add(given, back, -1n);
  adjust(store, number, back, 1n);
}

function add(forfeit: Amounts, { brokerage, frozen, available }: Amounts, sign: bigint): void {
  forfeit.brokerage += sign * brokerage;
  forfeit.frozen += sign * frozen;
  forfeit.available += sign * available;
}

function adjust(store: Store, member: number, amounts: Amounts, sign: bigint): void {
  const [brokerage, frozen, available] = [sign * amounts.brokerage, sign * amounts.frozen, sign * amounts.available];
  if (brokerage === 0n && frozen === 0n && available === 0n) return;
  const adjustment: Adjustment = { member, brokerage, frozen, available, state: "booked", createdBy: 0, decidedBy: 0 };
  store.adjustments.push(adjustment);
  const payload = {
    brokerage: asMoney(brokerage),
    frozen_points: asPoints(frozen),
    available_points: asPoints(available),
  };
  store.book(member, {
    ...{ type: "adjustment", source: "adjustment", brokerage, frozen, available, order: null },
    ...{ basis: null, rate: null, level: null, passedOn: null, reverses: null },
  });
  store.tell("adjustment.booked", store.adjustments.length, member, payload);
}
