// Members who leave: from then on they earn nothing, and who asked for the deletion gives up what they have.
import type { History } from "./history.ts";
import { type Balances, exceedsDebt, givenBack, givenUp, minus, plus } from "./rules/balances.ts";

export function leave(history: History, member: string, asked: boolean): void {
  history.member(member).left ??= { asked, givenUp: { money: 0n, frozen: 0n, available: 0n } };
  giveUp(history, member);
}

/** All that they have, and at once what comes back later. */
export function giveUp(history: History, member: string): void {
  const { left } = history.member(member);
  if (!left?.asked) return;
  const given = givenUp(history.balances(member));
  left.givenUp = plus(left.givenUp, given);
  adjust(history, member, minus(given));
}

/** Whether somebody who gave up what they had would get more than they owe. */
export const givesToWhoGaveUp = (history: History, member: string, given: Balances): boolean =>
  history.member(member).left?.asked === true && exceedsDebt(history.balances(member), given);

/** What a refund takes of commission and points that were given up is given back before. */
export function giveBack(history: History, member: string, taken: { money: bigint; points: bigint }): void {
  const { left } = history.member(member);
  if (!left?.asked) return;
  const back = givenBack(left.givenUp, history.balance(member, "frozen"), taken);
  left.givenUp = plus(left.givenUp, minus(back));
  adjust(history, member, back);
}

const adjust = (history: History, member: string, amounts: Balances) =>
  history.book({ member, type: "adjustment", source: undefined, order: null, ...amounts });
