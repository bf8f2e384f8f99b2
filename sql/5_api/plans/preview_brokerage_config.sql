-- Security definer: the checks of a draft run as functions of the owner, the same ones that check a draft when it is saved.
-- Stable: Postgres itself prevents writes and row locks.
-- Raises: forbidden, plan_invalid, levels_invalid.
create or replace function api.preview_brokerage_config(p_plan jsonb default null, p_levels jsonb default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_plan app.commission_plans;
begin
  perform app.require_admin();
  v_plan := app.draft_plan(coalesce(p_plan, '{}'), '/plan');
  if p_levels is not null then
    perform app.check_levels(p_levels);
  end if;
  return (
    select jsonb_build_object(
      'price', w.price::text, 'ratio', trim_scale(w.ratio), 'commission', w.commission::text, 'payout_share', trim_scale(w.payout_share),
      'commission_points', trim_scale(w.commission_points), 'level_points', trim_scale(w.level_points), 'points', trim_scale(w.points),
      'cycle', w.cycle, 'cycle_share', trim_scale(w.cycle_share)
    )
    from app.worst_order(v_plan, coalesce(p_levels, app.levels_json())) as w
  );
end
$$;

comment on function api.preview_brokerage_config is
  'Returns the most that one unit could pay under a draft plan and draft levels, without writing. A null draft stands for the '
  'settings in force. Serves POST /adminapi/hjf/brokerage/config/preview.';

grant execute on function api.preview_brokerage_config(jsonb, jsonb) to store_admin;
