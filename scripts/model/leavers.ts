import { type Balances, exceedsDebt, givenBack, givenUp, minus, plus } from "../../kit/rules/balances.ts";
import { asMoney } from "./amounts.ts";
import { asNumber } from "./events.ts";
import { isPaidAtProvider } from "./payments.ts";
import type { Adjustment, Member } from "./state.ts";
import { hasGivenUp, isPaidBack, refundStatus, type Store } from "./store.ts";
import { isOpen } from "./withdrawals.ts";

/**
 * A deletion that was asked for is done unless something is in progress; then nothing happens. An account can be
 * removed at any time.
 */
export function leave(store: Store, number: number, isDeletion: boolean): string {
  const member = store.member(number);
  if (member.left || (isDeletion && isInProgress(store, number))) return "stays";
  member.left = { isDeletion, forfeit: { money: 0n, frozen: 0n, available: 0n } };
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

const balancesOf = ({ brokerage, frozen, available }: Member): Balances => ({ money: brokerage, frozen, available });

/** Who asked for the deletion gives up all that they have, and at once what comes back later. */
export function forfeit(store: Store, number: number): void {
  const member = store.member(number);
  if (!hasGivenUp(member)) return;
  const given = givenUp(balancesOf(member));
  member.left.forfeit = plus(member.left.forfeit, given);
  adjust(store, number, minus(given));
}

/**
 * Before an order takes back more than somebody who gave up everything has, so much of the forfeit is given back: they
 * gave up what was never theirs. The rest stays as a debt without a name.
 */
export function giveBack(store: Store, number: number, taken: { money: bigint; points: bigint }): void {
  const member = store.member(number);
  if (!hasGivenUp(member)) return;
  const back = givenBack(member.left.forfeit, member.frozen, taken);
  member.left.forfeit = plus(member.left.forfeit, minus(back));
  adjust(store, number, back);
}

/** Who gave up everything gets at most what they owe: more would be owed to nobody. */
export const givesToWhoGaveUp = (
  member: Member,
  { brokerage, frozen, available }: Pick<Adjustment, "brokerage" | "frozen" | "available">,
): boolean => hasGivenUp(member) && exceedsDebt(balancesOf(member), { money: brokerage, frozen, available });

function adjust(store: Store, member: number, { money: brokerage, frozen, available }: Balances): void {
  if (brokerage === 0n && frozen === 0n && available === 0n) return;
  const adjustment: Adjustment = { member, brokerage, frozen, available, state: "booked", createdBy: 0, decidedBy: 0 };
  store.adjustments.push(adjustment);
  const payload = {
    brokerage: asMoney(brokerage),
    frozen_points: asNumber(frozen),
    available_points: asNumber(available),
  };
  store.book(member, {
    ...{ type: "adjustment", source: "adjustment", brokerage, frozen, available, order: null },
    ...{ basis: null, rate: null, level: null, passedOn: null, reverses: null },
  });
  store.tell("adjustment.booked", store.adjustments.length, member, payload);
}
