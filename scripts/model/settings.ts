import { endsHold } from "../../kit/rules/levels.ts";
import type { LevelSetting, PlanChange } from "./actions.ts";
import { money, points, ratio } from "./amounts.ts";
import type { Level } from "./state.ts";
import { raise, raiseAbove } from "./rises.ts";
import { reject, type Store } from "./store.ts";

/** Orders that count again can raise those above their buyer. */
export function setNoAssess(store: Store, number: number, isSet: boolean): void {
  const member = store.member(number);
  const isFreed = member.noAssess && !isSet;
  member.noAssess = isSet;
  if (isFreed && store.countedOrders(number) > 0) raiseAbove(store, number, { kind: "assess" });
}

export function createPlan(store: Store, change: PlanChange): void {
  const before = store.plans.at(-1)!;
  const tierRatios = change.tierRatios?.map(ratio) ?? before.tierRatios;
  const plan = {
    peoplePerCycle: change.peoplePerCycle ?? change.tierRatios?.length ?? before.peoplePerCycle,
    tierRatios,
    scope: change.scope ?? before.scope,
    timing: change.timing ?? before.timing,
    pointsPerBrokerage:
      change.pointsPerBrokerage === undefined ? before.pointsPerBrokerage : points(change.pointsPerBrokerage),
    maxDepth: change.maxDepth === undefined ? before.maxDepth : change.maxDepth,
    payoutCap: change.payoutCap === undefined ? before.payoutCap : ratio(change.payoutCap),
    minimumBase: change.minimumBase === undefined ? before.minimumBase : money(change.minimumBase),
    holdingDays: change.holdingDays ?? before.holdingDays,
  };
  if (plan.peoplePerCycle !== tierRatios.length || tierRatios.some((share) => share > plan.payoutCap))
    reject("plan_invalid");
  const isNew = Object.entries(plan).some(
    ([key, value]) => String(value) !== String(before[key as keyof typeof before]),
  );
  if (isNew) store.plans.push(plan);
}

export function setPointsTerms(store: Store, rate: string, maxShare: string): void {
  if (money(rate) < 1n || ratio(maxShare) >= ratio("1")) reject("invalid_argument");
  store.pointsTerms = { rate: money(rate), maxShare: ratio(maxShare) };
}

export function setLevels(store: Store, settings: LevelSetting[]): void {
  const levels: Level[] = settings.map((setting) => ({
    ...setting,
    directPoints: points(setting.directPoints),
    umbrellaPoints: points(setting.umbrellaPoints),
  }));
  if (!areConsistent(levels)) reject("levels_invalid");
  if (store.members.some((member) => member.level >= levels.length)) reject("levels_invalid");
  store.levels = levels;
}

/** Grades without gaps, tasks above grade 0, and neither points nor targets that fall with the grade. */
function areConsistent(levels: Level[]): boolean {
  return levels.every((level, index) => {
    if (level.grade !== index) return false;
    if (index === 0) return level.isActive && level.directPoints === 0n && level.umbrellaPoints === 0n;
    const below = levels.slice(0, index);
    return (
      Object.keys(level.tasks).length > 0 &&
      below.every(
        (lower) => lower.directPoints <= level.directPoints && lower.umbrellaPoints <= level.umbrellaPoints,
      ) &&
      Object.entries(level.tasks).every(([type, target]) =>
        below.every((lower) => (lower.tasks[type as keyof Level["tasks"]] ?? 0) <= target),
      )
    );
  });
}

/** @param hold null: a lowered member is held, others keep their hold */
export function setLevel(store: Store, number: number, grade: number, hold: boolean | null): void {
  const member = store.member(number);
  if (!store.levels[grade]?.isActive) reject("level_unknown");
  const isHeld = hold ?? (grade < member.level || member.isHeld);
  if (member.level === grade && member.isHeld === isHeld) return;
  const isFreed = endsHold(member, grade, isHeld);
  member.levelChanges.push({ from: member.level, to: grade, order: null, cause: null });
  if (grade > member.level) store.tell("level.reached", number, number, { from_level: member.level, to_level: grade });
  member.isHeld = isHeld;
  member.level = grade;
  if (isFreed) raise(store, number, { kind: "hold" });
}
