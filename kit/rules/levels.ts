// How members rise.
import type { Level } from "./plans.ts";

type Counts = Required<Level["tasks"]>;

/**
 * The counts of the tasks of a member (R8, R9).
 * @param below each member below, and how many of their orders count
 */
export function countTasks(below: { isDirect: boolean; noAssess: boolean; orders: number }[]): Counts {
  const buyers = below.filter(({ noAssess, orders }) => !noAssess && orders > 0);
  const direct = buyers.filter(({ isDirect }) => isDirect);
  const ordersOf = (some: typeof buyers) => some.reduce((total, { orders }) => total + orders, 0);
  return {
    direct_orders: ordersOf(direct),
    umbrella_orders: ordersOf(buyers),
    direct_members: direct.length,
    umbrella_members: buyers.length,
  };
}

/**
 * The grades to which a member rises: as long as all tasks of the next one are met. A held level stays, and that of
 * somebody who has left.
 * @param levels by grade
 * @returns the grades in the sequence in which they are reached
 */
export function gradesReached(
  member: { level: number; isHeld: boolean; left: object | null },
  levels: Level[],
  countOf: () => Counts,
): number[] {
  const higher = levels.filter(({ grade }) => grade > member.level);
  if (member.isHeld || member.left || higher.length === 0) return [];
  const counts = countOf();
  const isMet = ({ tasks }: Level) =>
    Object.entries(tasks).every(([task, target]) => counts[task as keyof Counts] >= target);
  const missed = higher.findIndex((level) => !isMet(level));
  return higher.slice(0, missed === -1 ? undefined : missed).map(({ grade }) => grade);
}

/** Whether an administrator ends the hold of a level without lowering it, so that the member can rise. */
export const endsHold = (member: { level: number; isHeld: boolean }, grade: number, isHeld: boolean): boolean =>
  member.isHeld && !isHeld && grade >= member.level;
