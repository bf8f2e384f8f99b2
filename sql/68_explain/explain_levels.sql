-- The chain above the buyer as it was when an order was settled: each one's level, the points of that level, what was
-- passed on from below, what follows per unit and in all, and the rule or the reason for nothing.
-- Callers: explain_order. Reads only. At most p_limit members are listed, nearest first.
create or replace function app.explain_levels(p_settlement app.settlements, p_limit integer)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with chain as (
    select a.depth, a.uid, l.*, p.max_depth
    from app.get_upline(p_settlement.uid) as a
    cross join lateral (select app.level_at(a.uid, p_settlement.level_change_mark) as grade) as g
    join app.level_versions as v on v.version = p_settlement.level_version
    cross join lateral jsonb_to_record(v.levels -> g.grade) as l (grade integer, name text, direct_points numeric, umbrella_points numeric)
    join app.commission_plans as p on p.version = p_settlement.order_plan_version
    where a.depth <= p_settlement.upline_depth
  ),
  shares as (
    select c.*, coalesce(max(c.umbrella_points) over (order by c.depth rows between unbounded preceding and 1 preceding), 0) as passed_on
    from chain as c
  ),
  decided as (
    select s.*, u.per_unit, case
      when p_settlement.state = 'refunded' then 'order_was_refunded'
      when p_settlement.base = 0 then 'zero_base'
      when p_settlement.referrer_uid is null then 'order_had_no_referrer'
      when s.depth > s.max_depth then 'beyond_max_depth'
      when s.depth = 1 and s.direct_points = 0 then 'level_brings_no_direct_points'
      when s.depth > 1 and u.per_unit = 0 then 'nothing_above_what_is_passed_on'
    end as reason
    from shares as s
    cross join lateral (
      select case s.depth when 1 then s.direct_points else app.umbrella_share(s.umbrella_points, s.passed_on) end as per_unit
    ) as u
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'depth', d.depth, 'uid', d.uid, 'agent_level', d.grade, 'agent_level_name', d.name,
    'direct_points', d.direct_points, 'umbrella_points', d.umbrella_points, 'passed_on', trim_scale(d.passed_on),
    'rule', case d.depth when 1 then 'R6 direct points x units' else 'R7 umbrella points above what is passed on x units' end,
    'per_unit', case when d.reason is null then trim_scale(d.per_unit) else 0 end,
    'points', case when d.reason is null then trim_scale(app.level_points(d.per_unit, p_settlement.units)) else 0 end,
    'reason', d.reason
  ) order by d.depth), '[]')
  from decided as d
  where d.depth <= p_limit
$$;
