-- Has no set clause, which would cost time in every call.
create or replace function app.settlement_entries(
  p_settlements app.settlements[], p_grants app.level_grant[], p_plans app.commission_plans[]
)
returns app.bill_entry[]
language plpgsql
immutable
as $$
begin
  return array(
    select e.entry
    from (
      select s.ordinality, 0 as place, (
        s.earner_uid, 'brokerage', 'cycle', s.commission, 0, 0, s.order_id, s.base, s.rate, null, null, null, null, null
      )::app.bill_entry as entry
      from pg_catalog.unnest(p_settlements) with ordinality as s
      where s.commission > 0
      union all
      select s.ordinality, 1, (
        s.earner_uid, 'frozen_points_brokerage', 'cycle', 0, s.commission_points, 0, s.order_id, s.commission,
        p_plans[s.cycle_plan_version].points_per_brokerage, null, null, null, null, null
      )::app.bill_entry
      from pg_catalog.unnest(p_settlements) with ordinality as s
      where s.commission_points > 0
      union all
      select g.ordinal, 1 + g.depth, (
        g.uid, 'frozen_points_brokerage', case g.depth when 1 then 'direct' else 'umbrella' end, 0, g.points, 0,
        g.order_id, g.units, g.per_unit, g.agent_level, case when g.depth > 1 then g.passed_on end, null, null, null
      )::app.bill_entry
      from pg_catalog.unnest(p_grants) as g
      where g.points > 0
    ) as e
    order by e.ordinality, e.place
  );
end
$$;

comment on function app.settlement_entries is
  'Returns the bill entries of settlements, order by order: the commission, its frozen points (R3), and the points by level '
  '(R5, R6, R7). Entries of zero are left out.';
