import type { Action } from "./actions.ts";
import { asMoney, isTooFine, money, points } from "./amounts.ts";
import { asNumber } from "./events.ts";
import { givesToWhoGaveUp } from "./leavers.ts";
import type { Adjustment } from "./state.ts";
import { reject, type Store } from "./store.ts";

/** The settings of the database under test. */
export const LIMITS = { money: "50.00", points: "20" };

const size = (amount: bigint) => (amount < 0n ? -amount : amount);

/**
 * Up to the limits of what one administrator adjusts on a day it is booked at once. Above them it waits for another
 * administrator, who is not the member.
 */
export function createAdjustment(
  store: Store,
  { member: number, brokerage, frozen, available, by }: Extract<Action, { do: "adjust" }>,
): void {
  const member = store.member(number);
  if (isTooFine(brokerage, "money") || isTooFine(frozen, "points") || isTooFine(available, "points"))
    reject("invalid_argument");
  const amounts = { brokerage: money(brokerage), frozen: points(frozen), available: points(available) };
  if (Object.values(amounts).every((amount) => amount === 0n)) reject("invalid_argument");
  if (member.frozen + amounts.frozen < 0n) reject("invalid_argument");
  if (givesToWhoGaveUp(member, amounts)) reject("adjustment_state_conflict");
  const sums = store.decidedAlone;
  const day = `${by} ${store.businessDay()}`;
  const before = sums.get(day) ?? { money: 0n, points: 0n };
  const pointsChanged = [amounts.frozen, amounts.available, amounts.frozen + amounts.available].map(size);
  const sum = {
    money: before.money + size(amounts.brokerage),
    points: before.points + pointsChanged.reduce((most, each) => (each > most ? each : most)),
  };
  // The owner of the database has no limit.
  const exceeds = by !== 0 && (sum.money > money(LIMITS.money) || sum.points > points(LIMITS.points));
  // Nobody of a member who has left looks at the balances.
  const waits = exceeds || (by !== 0 && member.left !== null);
  if (waits && ![...store.administrators].some((each) => each !== by && each !== number))
    reject("second_administrator_needed");
  const adjustment: Adjustment = {
    member: number,
    ...amounts,
    state: waits ? "waiting" : "booked",
    createdBy: by,
    decidedBy: waits ? null : by,
  };
  store.adjustments.push(adjustment);
  tellState(store, adjustment);
  if (waits) return;
  sums.set(day, sum);
  book(store, adjustment);
}

/** Whoever made it cannot decide it. Frozen points never become negative. */
export function decideAdjustment(store: Store, number: number, state: "booked" | "refused", by: number): void {
  const adjustment = store.adjustments[number - 1] ?? reject("adjustment_not_found");
  if (adjustment.state === state) return;
  if (adjustment.state !== "waiting") reject("adjustment_state_conflict");
  if (adjustment.createdBy === by) reject("second_administrator_needed");
  const member = store.member(adjustment.member);
  if (state === "booked" && (member.frozen + adjustment.frozen < 0n || givesToWhoGaveUp(member, adjustment)))
    reject("adjustment_state_conflict");
  adjustment.state = state;
  adjustment.decidedBy = by;
  tellState(store, adjustment);
  if (state === "booked") book(store, adjustment);
}

function tellState(store: Store, adjustment: Adjustment): void {
  const { brokerage, frozen, available, state, member } = adjustment;
  const payload = {
    brokerage: asMoney(brokerage),
    frozen_points: asNumber(frozen),
    available_points: asNumber(available),
  };
  const type = `adjustment.${state === "waiting" ? "requested" : state}`;
  store.tell(type, store.adjustments.indexOf(adjustment) + 1, member, payload);
}

function book(store: Store, { member, brokerage, frozen, available }: Adjustment): void {
  store.book(member, {
    type: "adjustment",
    source: "adjustment",
    brokerage,
    frozen,
    available,
    order: null,
    basis: null,
    rate: null,
    level: null,
    passedOn: null,
    reverses: null,
  });
}
