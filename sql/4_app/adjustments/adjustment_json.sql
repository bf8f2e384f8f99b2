create or replace function app.adjustment_json(p_adjustment app.adjustments)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_adjustment.id, 'uid', p_adjustment.uid, 'nickname', (select u.nickname from app.users as u where u.uid = p_adjustment.uid),
    'brokerage', p_adjustment.brokerage_delta::text, 'frozen_points', trim_scale(p_adjustment.frozen_delta),
    'available_points', trim_scale(p_adjustment.available_delta), 'reason', p_adjustment.reason, 'state', p_adjustment.state,
    'created_by', app.actor_json(p_adjustment.created_by), 'add_time', app.utc(p_adjustment.add_time),
    'decided_by', app.actor_json(p_adjustment.decided_by), 'decided_at', app.utc(p_adjustment.decided_at)
  )
$$;

comment on function app.adjustment_json is 'Returns an adjustment in the format of the API.';

grant execute on function app.adjustment_json(app.adjustments) to store_admin;
