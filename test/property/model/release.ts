import { formatAmount, POINTS_DECIMALS } from "./amounts.ts";
import { releaseOf } from "./rules.ts";
import { refuse, type Store } from "./store.ts";

/** Releases one business day, or (null) today and whatever was missed since the first run, oldest day first (R11). */
export function release(store: Store, daysFromToday: number | null): void {
  if (daysFromToday === null) daysUntilToday(store).forEach((day) => releaseDay(store, day));
  else if (daysFromToday > 0) refuse("invalid_argument");
  else releaseDay(store, store.businessDay(daysFromToday));
}

/** The days since the first run, up to today. */
function daysUntilToday(store: Store): string[] {
  const today = store.businessDay();
  const days = [today];
  const first = [...store.releaseDays].sort()[0] ?? today;
  for (let back = -1; store.businessDay(back) >= first; back -= 1) days.unshift(store.businessDay(back));
  return days;
}

/** A day that was released is done with: who earns points after it waits for the next day. */
function releaseDay(store: Store, day: string): void {
  if (store.releaseDays.has(day)) return;
  store.releaseDays.add(day);
  store.members.forEach((member, index) => {
    const before = member.frozen;
    const released = releaseOf(before);
    if (released === 0n) return;
    member.releases.push({ day, before, released });
    store.book(index + 1, {
      type: "frozen_points_release", source: "release", brokerage: 0n, frozen: -released, available: released,
      order: null, basis: formatAmount(before, POINTS_DECIMALS), rate: "0.0004", level: null, passedOn: null, reverses: null,
    });
  });
}
