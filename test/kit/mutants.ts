/** A change of one line of the engine, and the vector that must notice it. */
export interface Mutant {
  rule: string;
  vector: string;
  /** A function of schema `app`. */
  of: string;
  from: string;
  to: string;
}

const mutant = (rule: string, vector: string, of: string, from: string, to: string): Mutant => ({ rule, vector, of, from, to });

/** At least one for each rule. A function that has changed so that `from` is not in it once needs another change here. */
export const mutants: Mutant[] = [
  mutant("R1", "only_queue_goods", "order_of_lines", "sum(l.paid) filter (where l.is_queue_goods)", "sum(l.paid)"),
  mutant("R1", "base_after_discount", "order_of_lines", "sum(l.paid) filter", "sum(l.price * l.quantity) filter"),
  mutant(
    "R2",
    "timing_of_the_payment",
    "confirm_receipt",
    "p.version = v_order.plan_version and p.brokerage_timing",
    "p.version = (select max(version) from app.commission_plans) and p.brokerage_timing",
  ),
  mutant("R3", "points_with_the_receipt", "settlement_entries", "where s.commission_points > 0", "where false"),
  mutant("R4", "referrer_without_an_order", "find_earner", "reported_since <= p_order.paid_at", "uid is not null"),
  mutant("R4", "own_order_paid_later", "find_earner", "reported_since <= p_order.paid_at", "reported_since is not null"),
  mutant("R4", "own_order_refunded", "is_reported", "p_units > 0 and p_refund_status <> 2", "true"),
  mutant("R4", "own_order_of_other_goods", "is_reported", "p_units > 0 and", ""),
  mutant("scope", "nearest_eligible", "find_earner", "case p_plan.brokerage_scope when 'direct' then 1 else p_plan.max_depth end", "1"),
  mutant(
    "referrer",
    "referrer_of_the_order",
    "pay_locked_order",
    "set state = 'paid',",
    "set state = 'paid', referrer_uid = (select u.spread_uid from app.users as u where u.uid = o.uid),",
  ),
  mutant(
    "R5",
    "level_before_the_rise",
    "settle_orders",
    "v_state.members, v_state.levels);",
    "(app.decide_levels(app.settlement_changes(v_facts, v_state.plans), v_state.members, v_state.levels)).members, v_state.levels);",
  ),
  mutant("R6", "points_by_quantity", "level_points", "p_points_per_unit * p_units", "p_points_per_unit"),
  mutant(
    "R7",
    "umbrella_difference",
    "decide_levels",
    "greatest(v_passed_on, v_rule.umbrella_points)",
    "greatest(v_passed_on, v_per_unit)",
  ),
  mutant("R7", "grade_zero_passes_on", "decide_levels", "greatest(v_passed_on, v_rule.umbrella_points)", "v_rule.umbrella_points"),
  mutant("R8", "requested_refund_does_not_count", "is_counted", "p_refund_status in (0, 3)", "p_refund_status <> 2"),
  mutant("R8", "refunded_order_does_not_count", "is_counted", "p_refund_status in (0, 3)", "p_refund_status = 0"),
  mutant("R9", "not_assessed", "decide_levels", "case when v_member.no_assess then 0 else v_change.step end", "v_change.step"),
  mutant("R11", "rate_of_the_release", "release_rate", "0.0004", "0.0005"),
  mutant("R12", "refund_has_reversals_only", "reversals", "else 'frozen_points_reversal' end", "else 'adjustment' end"),
  mutant("cycle", "cycle_of_three", "decide_cycles", "< v_cycle_plan.people_per_cycle", "<= v_cycle_plan.people_per_cycle"),
  mutant("cycle", "one_place_whatever_quantity", "decide_cycles", "v_place := 1;", "v_place := v_order.units;"),
  mutant("cycle", "cycle_keeps_its_plan", "decide_cycles", "v_cycle_plan := p_plans[v_cycle.plan_version]", "v_cycle_plan := v_plan"),
  mutant(
    "rounding",
    "parts_of_a_refund",
    "cycle_commission",
    "app.round_down(p_base * p_rate, app.money_decimals())",
    "round(p_base * p_rate, 2)",
  ),
  mutant("rounding", "rate_of_the_release", "release_amount", "app.points_decimals()", "5"),
  mutant("refund", "refund_frees_the_place", "decide_refund", "v_after.queue_base = 0 and", "false and"),
  mutant("refund", "refund_below_zero", "reversals", "least(d.excess, greatest(", "least(0, greatest("),
  mutant(
    "refund",
    "refunded_before_it_is_settled",
    "barring_reason",
    "when p_units = 0 then 'refunded'",
    "when p_units = 0 then 'zero_base'",
  ),
  mutant("minimum_base", "minimum_base", "is_below_minimum", "p_base < p_minimum_base", "false"),
  mutant("payout_cap", "cap_in_force", "decide_cycles", ", p_plans[v_order.plan_in_force].payout_cap", ""),
  mutant("levels", "held_level", "meets_next_level", "and not p_member.is_held", ""),
  mutant("levels", "held_level", "raise_after_hold", "p_raises => true", "p_raises => false"),
  mutant("levels", "refused_request_raises", "decide_refund", "p_raises => true", "p_raises => false"),
  mutant(
    "levels",
    "refused_request_raises",
    "set_agent_level",
    "if v_was.is_held and not v_is.is_held and v_is.agent_level >= v_was.agent_level then",
    "if not v_is.is_held then",
  ),
  mutant("levels", "assessed_again_raises", "set_no_assess", "p_raises => true", "p_raises => false"),
  mutant("levels", "joining_with_orders_raises", "bind_spread", "p_raises => true", "p_raises => false"),
  mutant(
    "levels",
    "several_grades_at_once",
    "decide_levels",
    "v_ancestor.agent_level := v_rule.next_grade;",
    "v_ancestor.agent_level := v_rule.next_grade; exit;",
  ),
  mutant("max_depth", "depth", "decide_levels", "or v_depth > v_change.max_depth", ""),
  mutant("maturity", "maturity", "matures_at", "greatest(p_received_at, p_settled_at)", "least(p_received_at, p_settled_at)"),
  mutant("maturity", "never_received_never_matures", "matures_at", "when p_received_at is not null then", "when true then"),
  mutant("withdrawal", "maturity", "request_withdrawal", "w.uid = p_uid and w.ended_at is null", "false"),
  mutant("owed", "reserved_is_owed", "owed_totals", "v_balance + reserved", "v_balance"),
  mutant("points_at_checkout", "points_at_the_checkout", "decide_points", "if not v_line.is_queue_goods then", "if true then"),
  mutant("adjustment", "adjustments", "is_earned", "'opening_balance'", "'opening_balance', 'adjustment'"),
  mutant("sequence", "sequence_of_payments", "settle_orders", "order by o.paid_at, o.id", "order by o.id"),
  mutant("sequence", "sequence_of_the_same_moment", "settle_orders", "order by o.paid_at, o.id", "order by o.paid_at, o.id desc"),
  mutant("sequence", "sequence_across_two_earners", "settle_orders", "order by o.paid_at, o.id", "order by o.id"),
  mutant(
    "missed_days",
    "missed_day_after_a_loss",
    "release_members",
    "least(l.frozen_points, app.frozen_until(l.uid, p_until))",
    "app.frozen_until(l.uid, p_until)",
  ),
  mutant("missed_days", "missed_days", "release_members", "least(l.frozen_points, app.frozen_until(l.uid, p_until))", "l.frozen_points"),
  mutant("concession", "concession_then_units", "line_left", "when p_concessions is null then", "when true then"),
  mutant("freight", "freight_before_the_shipment", "refund_freight", "when p_order.state = 'paid' and", "when false and"),
  mutant("free", "free_order", "create_order", "case when v_order.pay_price = 0 then", "case when false then"),
  mutant("leaving", "referrer_left", "find_earner", "and p_members[v_index].has_left is not true", ""),
  mutant("leaving", "left_passes_nothing_on", "decide_levels", "if v_ancestor.has_left then", "if false then"),
  mutant("answer", "granted_in_part", "request_answer", "when u.is_answer and u.has_all then", "when u.is_answer then"),
  mutant("hold", "held_until_answered", "commission_parts", "least(greatest(v_matured, 0.00), v_held)", "0.00"),
  mutant("missed_days", "named_day_alone", "unreleased_days", "where not r.is_named_only", "where true"),
];
/** Without its locks, payments at the same moment collide. */
export const withoutLocks = mutant(
  "R10",
  "paid_together",
  "lock_balances",
  "perform pg_catalog.pg_advisory_xact_lock(",
  "return; perform pg_catalog.pg_advisory_xact_lock(",
);
