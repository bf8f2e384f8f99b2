-- GET /adminapi/system/crontab: what runs on a schedule, when next, and how the last runs went.
-- Security definer: reads pg_cron's tables, which client roles cannot. Raises: forbidden.
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

grant execute on function api.get_crontab() to store_admin;
