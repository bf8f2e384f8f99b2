-- Security definer: client roles may not read the tables of pg_cron.
-- Raises: forbidden.
create or replace function api.get_crontab()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return app.schedule_json(clock_timestamp());
end
$$;

comment on function api.get_crontab is
  'Returns the scheduled jobs with their schedules, next runs and latest results (app.schedule_json). Serves GET '
  '/adminapi/system/crontab.';

grant execute on function api.get_crontab() to store_admin;
