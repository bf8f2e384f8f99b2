CREATE OR REPLACE FUNCTION app.settlement_entries(p_settlements app.settlements[], p_grants app.level_grant[], p_plans app.commission_plans[])
 RETURNS app.bill_entry[]
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
  return array(
    select e.entry
    from (
      select s.ordinality, 0 as rank, app.new_entry(
        s.earner_uid, 'brokerage', 'cycle', p_brokerage => s.commission, p_order_id => s.order_id, p_basis => s.base, p_rate => s.rate
      ) as entry
      from pg_catalog.unnest(p_settlements) with ordinality as s
      where s.commission > 0
      union all
      select s.ordinality, 1, app.new_entry(
        s.earner_uid, 'frozen_points_brokerage', 'cycle', p_frozen => s.commission_points, p_order_id => s.order_id, p_basis => s.commission,
        p_rate => p_plans[s.cycle_plan_version].points_per_brokerage
      )
      from pg_catalog.unnest(p_settlements) with ordinality as s
      where s.commission_points > 0
      union all
      select g.ordinal, 1 + g.depth, app.new_entry(
        g.uid, 'frozen_points_brokerage', case g.depth when 1 then 'direct' else 'umbrella' end, p_frozen => g.points, p_order_id => g.order_id,
        p_basis => g.units, p_rate => g.per_unit, p_agent_level => g.agent_level, p_passed_on => case when g.depth > 1 then g.passed_on end
      )
      from pg_catalog.unnest(p_grants) as g
      where g.points > 0
    ) as e
    order by e.ordinality, e.rank
  );
end
$function$
