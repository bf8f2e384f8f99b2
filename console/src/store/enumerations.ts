import type { Admin } from "../../../client/index.ts";

/** The values of an enumeration of the API, as a list. The type check fails if one is missing. */
const valuesOf = <Value extends string>(values: Record<Value, true>) => Object.keys(values) as Value[];

export type TaskType = keyof Admin["AgentLevel"]["tasks"];
export const taskTypes = valuesOf<TaskType>({ direct_orders: true, umbrella_orders: true, direct_members: true, umbrella_members: true });

export type BillType = Admin["BillRow"]["type"];
export const billTypes = valuesOf<BillType>({
  brokerage: true,
  brokerage_reversal: true,
  frozen_points_brokerage: true,
  frozen_points_reversal: true,
  frozen_points_release: true,
  opening_balance: true,
  withdrawal: true,
  withdrawal_returned: true,
  points_spent: true,
  points_returned: true,
  adjustment: true,
});
