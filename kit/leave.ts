// Members who leave: from then on they earn nothing, and who asked for the deletion gives up what they have.
import { least } from "./amounts.ts";
import type { History } from "./history.ts";

export function leave(history: History, member: string, asked: boolean): void {
  history.member(member).left ??= { asked, givenUp: { money: 0n, frozen: 0n, available: 0n } };
  giveUp(history, member);
}

/** All that they have, and at once what comes back later. What they owe stays. */
export function giveUp(history: History, member: string): void {
  const { left } = history.member(member);
  if (!left?.asked) return;
  const given = { ...left.givenUp };
  for (const of of ["money", "frozen", "available"] as const) {
    const balance = history.balance(member, of);
    given[of] = balance > 0n ? balance : 0n;
    left.givenUp[of] += given[of];
  }
  history.book({ ...adjustmentOf(member), money: -given.money, frozen: -given.frozen, available: -given.available });
}

/** Whether somebody who gave up what they had would get more than they owe. */
export function givesToWhoGaveUp(
  history: History,
  member: string,
  given: Record<"money" | "frozen" | "available", bigint>,
): boolean {
  const asked = history.member(member).left?.asked ?? false;
  return (
    asked &&
    (["money", "frozen", "available"] as const).some(
      (of) => given[of] > 0n && history.balance(member, of) + given[of] > 0n,
    )
  );
}

/**
 * What a refund takes of commission and points that were given up is given back before: as much as is left of what was
 * given up.
 */
export function giveBack(history: History, member: string, money: bigint, points: bigint): void {
  const { left } = history.member(member);
  if (!left?.asked) return;
  // Frozen points are taken first: those that they have got since, too.
  const fromFrozen = least(points, history.balance(member, "frozen") + left.givenUp.frozen);
  const back = {
    money: least(money, left.givenUp.money),
    frozen: least(fromFrozen, left.givenUp.frozen),
    available: least(points - fromFrozen, left.givenUp.available),
  };
  for (const of of ["money", "frozen", "available"] as const) left.givenUp[of] -= back[of];
  history.book({ ...adjustmentOf(member), ...back });
}

const adjustmentOf = (member: string) => ({ member, type: "adjustment" as const, source: undefined, order: null });
