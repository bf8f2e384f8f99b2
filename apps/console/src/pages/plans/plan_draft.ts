import type { Admin } from "../../../../client/index.ts";
import { emptyNumbers, type FieldNumber, numberOf, toPercent, toRatio } from "../../components/field_number.ts";
import type { FieldErrors } from "../../components/use_draft.ts";
import { failureOf } from "../../../../shared/failure.ts";

type Plan = Admin["CommissionPlanVersion"];
export type PlanDraft = Required<Admin["CommissionPlanDraft"]>;

/** The plan as the form shows it, with fractions in percent. */
export type PlanForm = {
  people_per_cycle: FieldNumber;
  tier_ratios: FieldNumber[];
  brokerage_scope: Plan["brokerage_scope"];
  brokerage_timing: Plan["brokerage_timing"];
  points_per_brokerage: FieldNumber;
  max_depth: FieldNumber;
  payout_cap: FieldNumber;
  minimum_base: FieldNumber;
  holding_days: FieldNumber;
};

export function draftOf(plan: Plan): PlanForm {
  const {
    people_per_cycle,
    tier_ratios,
    brokerage_scope,
    brokerage_timing,
    points_per_brokerage,
    max_depth,
    payout_cap,
    minimum_base,
    holding_days,
  } = plan;
  return {
    people_per_cycle,
    brokerage_scope,
    brokerage_timing,
    points_per_brokerage,
    tier_ratios: tier_ratios.map(toPercent),
    max_depth: max_depth ?? "",
    payout_cap: toPercent(payout_cap),
    minimum_base: Number(minimum_base),
    holding_days,
  };
}

/** The fields that are still empty. */
export function emptyFieldsOf({
  people_per_cycle,
  tier_ratios,
  points_per_brokerage,
  payout_cap,
  minimum_base,
  holding_days,
}: PlanForm): FieldErrors {
  const ratios = Object.fromEntries(tier_ratios.map((ratio, place) => [`tier_ratios.${place}`, ratio]));
  return emptyNumbers({ people_per_cycle, ...ratios, points_per_brokerage, payout_cap, minimum_base, holding_days });
}

/** The errors of the store about the plan in a larger request, such as a preview, by field path. */
export function rejectedFields(error: unknown): FieldErrors {
  if (!error) return {};
  return Object.fromEntries(
    Object.entries(failureOf(error).fields).map(([path, detail]) => [path.replace(/^plan\./, ""), detail]),
  );
}

/** The plan in the format of the API. */
export function planOf(form: PlanForm): PlanDraft {
  return {
    people_per_cycle: numberOf(form.people_per_cycle),
    tier_ratios: form.tier_ratios.map(toRatio),
    brokerage_scope: form.brokerage_scope,
    brokerage_timing: form.brokerage_timing,
    points_per_brokerage: numberOf(form.points_per_brokerage),
    max_depth: form.max_depth === "" ? null : form.max_depth,
    payout_cap: toRatio(form.payout_cap),
    minimum_base: numberOf(form.minimum_base).toFixed(2),
    holding_days: numberOf(form.holding_days),
  };
}
