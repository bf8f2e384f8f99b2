create or replace function app.plan_json(p_plan app.commission_plans)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'version', p_plan.version, 'people_per_cycle', p_plan.people_per_cycle,
    'tier_ratios', (
      select jsonb_agg(trim_scale(r.ratio) order by r.place) from unnest(p_plan.tier_ratios) with ordinality as r (ratio, place)
    ),
    'brokerage_scope', p_plan.brokerage_scope, 'brokerage_timing', p_plan.brokerage_timing,
    'points_per_brokerage', trim_scale(p_plan.points_per_brokerage), 'max_depth', p_plan.max_depth,
    'payout_cap', trim_scale(p_plan.payout_cap), 'minimum_base', p_plan.minimum_base::text, 'holding_days', p_plan.holding_days,
    'created_by', app.actor_json(p_plan.created_by),
    'created_at', app.utc(p_plan.created_at)
  )
$$;

comment on function app.plan_json is 'Returns a version of the commission plan as administrators see it.';

grant execute on function app.plan_json(app.commission_plans) to store_admin;
