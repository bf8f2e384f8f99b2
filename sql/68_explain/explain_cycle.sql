-- How the cycle commission of an order came about: the members asked from the referrer upwards and whether each was
-- eligible (R4), the place taken, and the sum; or why nobody earned.
-- Callers: explain_order. Reads only. Eligibility is told as it was decided: whoever was passed over was not eligible.
create or replace function app.explain_cycle(p_settlement app.settlements, p_limit integer)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'rule', 'R1 base x ratio of the place, rounded down', 'brokerage_scope', p_settlement.brokerage_scope,
    'base', p_settlement.base::text, 'earner_uid', p_settlement.earner_uid, 'cycle_no', p_settlement.cycle_no,
    'place', p_settlement.place, 'cycle_plan_version', p_settlement.cycle_plan_version,
    'ratio', trim_scale(p_settlement.ratio), 'commission', p_settlement.commission::text,
    'points_per_brokerage', (
      select trim_scale(p.points_per_brokerage) from app.commission_plans as p where p.version = p_settlement.cycle_plan_version
    ),
    'commission_points', trim_scale(p_settlement.commission_points),
    'place_freed_at', app.utc(p_settlement.place_freed_at), 'reason', p_settlement.reason,
    'asked', coalesce((
      select jsonb_agg(jsonb_build_object(
        'depth', a.depth, 'uid', a.uid, 'eligible', a.uid is not distinct from p_settlement.earner_uid
      ) order by a.depth)
      from app.get_upline(p_settlement.uid) as a
      where p_settlement.referrer_uid is not null and coalesce(p_settlement.reason, '') not in ('refunded', 'zero_base')
        and a.depth <= least(
          p_limit, p_settlement.upline_depth,
          case when p_settlement.brokerage_scope = 'direct' then 1 end,
          (select p.max_depth from app.commission_plans as p where p.version = p_settlement.order_plan_version),
          (select e.depth from app.get_upline(p_settlement.uid) as e where e.uid = p_settlement.earner_uid)
        )
    ), '[]')
  )
$$;
