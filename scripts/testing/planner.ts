/**
 * The settings without which Postgres chooses other plans, which return rows in another sequence. No test may depend on
 * it.
 */
export const PLANNER_SETTINGS = ["enable_hashjoin", "enable_mergejoin", "enable_nestloop"] as const;
export type PlannerSetting = (typeof PLANNER_SETTINGS)[number];
