-- Has no set clause, so that the planner can inline it.
create or replace function app.release_json(p_row app.points_release_log, p_nickname text)
returns jsonb
language sql
stable
as $$
  select pg_catalog.jsonb_build_object(
    'id', p_row.id, 'uid', p_row.uid, 'nickname', p_nickname, 'frozen_before', pg_catalog.trim_scale(p_row.frozen_before),
    'release_points', pg_catalog.trim_scale(p_row.release_points), 'frozen_after', pg_catalog.trim_scale(p_row.frozen_after),
    'release_date', p_row.release_date, 'add_time', app.utc(p_row.add_time)
  )
$$;

comment on function app.release_json is 'Returns a row of the release log as the API shows it.';

grant execute on function app.release_json(app.points_release_log, text) to store_admin;
