import { missedBase, releaseOf } from "../../kit/rules/balances.ts";
import { daysFrom } from "../../kit/rules/days.ts";
import { asPoints } from "./amounts.ts";
import { asNumber } from "./events.ts";
import type { Member } from "./state.ts";
import { reject, type Store } from "./store.ts";

/**
 * Releases one business day alone, or (null) today and the missed days since the first run that named no day, oldest
 * day first (R11).
 */
export function release(store: Store, daysFromToday: number | null): void {
  if (daysFromToday === null) {
    store.firstDailyRelease ??= store.businessDay();
    daysFrom(store.firstDailyRelease, store.businessDay()).forEach((day) => releaseDay(store, day));
  } else if (daysFromToday > 0) reject("invalid_argument");
  else releaseNamedDay(store, store.businessDay(daysFromToday));
}

function releaseNamedDay(store: Store, day: string): void {
  if (store.compacted.includes(day.slice(0, 7))) reject("month_compacted");
  releaseDay(store, day);
}

/** A released day is finished: points earned afterwards are released from the next day on. */
function releaseDay(store: Store, day: string): void {
  if (store.releaseDays.has(day)) return;
  store.releaseDays.add(day);
  store.members.forEach((_, index) => releaseMember(store, index + 1, day));
  const releases = store.members.flatMap((member) => member.releases.filter((release) => release.day === day));
  const total = releases.reduce((sum, { released }) => sum + released, 0n);
  const payload = { release_date: day, users: releases.length, points: asNumber(total) };
  store.tell("points.released", Number(day.replaceAll("-", "")), null, payload);
}

/** Whether a member has points to release for a day. */
export function hasToRelease(store: Store, number: number, day: string): boolean {
  return !store.member(number).left && releaseOf(baseOf(store, store.member(number), day)) > 0n;
}

/** Releases the points of one member for a day. */
export function releaseMember(store: Store, number: number, day: string): void {
  const member = store.member(number);
  if (member.left) return;
  const base = baseOf(store, member, day);
  const released = releaseOf(base);
  if (released === 0n) return;
  member.releases.push({ day, before: member.frozen, released });
  store.book(number, {
    type: "frozen_points_release",
    source: "release",
    brokerage: 0n,
    frozen: -released,
    available: released,
    order: null,
    basis: asPoints(base),
    rate: "0.0004",
    level: null,
    passedOn: null,
    reverses: null,
  });
}

function baseOf(store: Store, member: Member, day: string): bigint {
  const isMissed = day !== store.businessDay();
  return isMissed ? missedBase(member.frozen, frozenAt(member, store.endOf(day))) : member.frozen;
}

/** The frozen points of a member immediately before a time. */
function frozenAt(member: Member, moment: number): bigint {
  return member.bill.findLast((row) => row.at < moment)?.frozenAfter ?? 0n;
}
