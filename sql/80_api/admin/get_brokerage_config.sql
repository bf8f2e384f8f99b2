-- GET /adminapi/hjf/brokerage/config: the commission plan in force.
create or replace function api.get_brokerage_config()
returns jsonb
language sql
stable
set search_path = ''
as $$
  select jsonb_build_object(
    'version', p.version, 'people_per_cycle', p.people_per_cycle,
    'tier_ratios', (select jsonb_agg(trim_scale(r.ratio) order by r.place) from unnest(p.tier_ratios) with ordinality as r (ratio, place)),
    'brokerage_scope', p.brokerage_scope, 'brokerage_timing', p.brokerage_timing,
    'points_per_brokerage', trim_scale(p.points_per_brokerage), 'max_depth', p.max_depth,
    'payout_cap', trim_scale(p.payout_cap), 'created_by', p.created_by, 'created_at', app.utc(p.created_at)
  )
  from app.commission_plans as p
  where p.version = app.active_plan_version()
$$;

grant execute on function api.get_brokerage_config() to store_admin;
