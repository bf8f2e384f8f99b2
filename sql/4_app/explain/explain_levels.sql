create or replace function app.explain_levels(p_settlement app.settlements, p_grants app.level_grant[], p_limit integer)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'depth', g.depth, 'uid', g.uid, 'agent_level', g.agent_level, 'agent_level_name', l.name,
    'direct_points', l.direct_points, 'umbrella_points', l.umbrella_points, 'passed_on', trim_scale(g.passed_on),
    'rule', case g.depth when 1 then 'R6 direct points x units' else 'R7 umbrella points above what is passed on x units' end,
    'per_unit', trim_scale(g.per_unit), 'points', trim_scale(g.points),
    'reason', case
      when g.points > 0 then null
      when p_settlement.reason = 'imported' then 'order_was_imported'
      when p_settlement.reason = 'refunded' then 'order_was_refunded'
      when p_settlement.reason in ('below_minimum', 'zero_base') then p_settlement.reason
      when p_settlement.reason = 'no_referrer' then 'order_had_no_referrer'
      when g.depth > p.max_depth then 'beyond_max_depth'
      when g.depth = 1 then 'level_brings_no_direct_points'
      else 'nothing_above_what_is_passed_on'
    end
  ) order by g.depth), '[]')
  from unnest(p_grants) as g
  join app.level_versions as v on v.version = p_settlement.level_version
  cross join lateral jsonb_to_record(v.levels -> g.agent_level::integer) as l (name text, direct_points numeric, umbrella_points numeric)
  join app.commission_plans as p on p.version = p_settlement.order_plan_version
  where g.depth <= p_limit
$$;

comment on function app.explain_levels is
  'Explains the points by level of a settlement: for each member of the upline at that time, the level, its points, what was '
  'passed on from below, the points per unit and in total, and the rule or the reason for none. p_grants are the grants '
  'decided again. Lists at most p_limit members, nearest first.';
