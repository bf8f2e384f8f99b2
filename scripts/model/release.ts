import { formatAmount, POINTS_DECIMALS } from "./amounts.ts";
import { asPoints } from "./events.ts";
import { releaseOf } from "./rules.ts";
import type { Member } from "./state.ts";
import { reject, type Store } from "./store.ts";

/**
 * Releases one business day alone, or (null) today and the missed days since the first run that named no day, oldest
 * day first (R11).
 */
export function release(store: Store, daysFromToday: number | null): void {
  if (daysFromToday === null) {
    store.firstDailyRelease ??= store.businessDay();
    daysUntilToday(store, store.firstDailyRelease).forEach((day) => releaseDay(store, day));
  } else if (daysFromToday > 0) reject("invalid_argument");
  else releaseNamedDay(store, store.businessDay(daysFromToday));
}

function releaseNamedDay(store: Store, day: string): void {
  if (store.compacted.includes(day.slice(0, 7))) reject("month_compacted");
  releaseDay(store, day);
}

/** The days from the first to today. */
function daysUntilToday(store: Store, first: string): string[] {
  const days = [store.businessDay()];
  for (let back = -1; store.businessDay(back) >= first; back -= 1) days.unshift(store.businessDay(back));
  return days;
}

/** A released day is finished: points earned afterwards are released from the next day on. */
function releaseDay(store: Store, day: string): void {
  if (store.releaseDays.has(day)) return;
  store.releaseDays.add(day);
  store.members.forEach((_, index) => releaseMember(store, index + 1, day));
  const releases = store.members.flatMap((member) => member.releases.filter((release) => release.day === day));
  const total = releases.reduce((sum, { released }) => sum + released, 0n);
  const payload = { release_date: day, users: releases.length, points: asPoints(total) };
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
    basis: formatAmount(base, POINTS_DECIMALS),
    rate: "0.0004",
    level: null,
    passedOn: null,
    reverses: null,
  });
}

function baseOf(store: Store, member: Member, day: string): bigint {
  return day === store.businessDay() ? member.frozen : lesser(member.frozen, frozenAt(member, store.endOf(day)));
}

/** The frozen points of a member immediately before a time. */
function frozenAt(member: Member, moment: number): bigint {
  return member.bill.findLast((row) => row.at < moment)?.frozenAfter ?? 0n;
}

function lesser(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
