create or replace function app.explain_cycle(
  p_settlement app.settlements, p_decision app.settlements, p_grants app.level_grant[], p_limit integer
)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'rule', 'R1 base x rate of the place, rounded down', 'brokerage_scope', p_decision.brokerage_scope,
    'base', p_decision.base::text, 'earner_uid', p_decision.earner_uid, 'cycle_no', p_decision.cycle_no,
    'place', p_decision.place, 'cycle_plan_version', p_decision.cycle_plan_version,
    'ratio', trim_scale(p_decision.ratio), 'rate', trim_scale(p_decision.rate),
    'capped_by', case
      when p_decision.rate = p_decision.ratio then null
      when p_decision.rate = c.payout_cap then p_decision.cycle_plan_version
      else p_decision.plan_in_force
    end,
    'commission', p_decision.commission::text, 'points_per_brokerage', trim_scale(c.points_per_brokerage),
    'commission_points', trim_scale(p_decision.commission_points),
    'place_freed_at', app.utc(p_settlement.place_freed_at), 'reason', p_decision.reason,
    'asked', coalesce((
      select jsonb_agg(jsonb_build_object(
        'depth', g.depth, 'uid', g.uid, 'eligible', g.uid is not distinct from p_decision.earner_uid
      ) order by g.depth)
      from unnest(p_grants) as g
      where coalesce(p_decision.reason, 'referrer_not_eligible') in ('referrer_not_eligible', 'nobody_eligible')
        and g.depth <= least(
          p_limit, case when p_decision.brokerage_scope = 'direct' then 1 end, o.max_depth,
          (select e.depth from unnest(p_grants) as e where e.uid = p_decision.earner_uid)
        )
    ), '[]')
  )
  from app.commission_plans as o
  left join app.commission_plans as c on c.version = p_decision.cycle_plan_version
  where o.version = p_decision.order_plan_version
$$;

comment on function app.explain_cycle is
  'Explains the commission of a settlement: the members whose eligibility was checked (R4), from the referrer upwards, with the '
  'result, the place and the amount, or the reason why nobody earned. p_decision is the settlement decided again, p_settlement '
  'the booked one. Lists at most p_limit members.';
