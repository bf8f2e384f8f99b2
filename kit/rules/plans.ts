// The plan and the levels in numbers: money in cents, points in 1/10000, ratios in 1/100000.
import { read } from "../amounts.ts";
import type { Level as NamedLevel, Plan as NamedPlan } from "../format.ts";

export interface Plan {
  peoplePerCycle: number;
  tierRatios: bigint[];
  scope: "direct" | "umbrella";
  timing: "on_pay" | "confirm";
  /** For a commission of 1.00. */
  pointsPerBrokerage: bigint;
  /** Null: all members above a buyer can be paid. */
  maxDepth: number | null;
  payoutCap: bigint;
  minimumBase: bigint;
  holdingDays: number;
}

export interface Level {
  grade: number;
  directPoints: bigint;
  umbrellaPoints: bigint;
  tasks: NamedLevel["tasks"];
}

export const planOf = (plan: NamedPlan): Plan => ({
  peoplePerCycle: plan.people_per_cycle,
  tierRatios: plan.tier_ratios.map((ratio) => read(ratio, "ratio")),
  scope: plan.brokerage_scope,
  timing: plan.brokerage_timing,
  pointsPerBrokerage: read(plan.points_per_brokerage, "points"),
  maxDepth: plan.max_depth,
  payoutCap: read(plan.payout_cap, "ratio"),
  minimumBase: read(plan.minimum_base, "money"),
  holdingDays: plan.holding_days,
});

/** The levels by grade. */
export const levelsOf = (levels: NamedLevel[]): Level[] =>
  levels
    .map((level) => ({
      grade: level.grade,
      directPoints: read(level.direct_points, "points"),
      umbrellaPoints: read(level.umbrella_points, "points"),
      tasks: level.tasks,
    }))
    .sort((one, other) => one.grade - other.grade);
