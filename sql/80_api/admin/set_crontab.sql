-- PUT /adminapi/system/crontab: when a job runs, by the business clock, and whether it does.
-- Security definer: the schedule is changed by functions only. Safe twice.
-- Raises: forbidden, crontab_not_found, invalid_argument, schedule_unavailable.
create or replace function api.set_crontab(p_name text, p_schedule text default null, p_is_active boolean default null)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  perform app.set_schedule(p_name, p_schedule, p_is_active, auth.uid(), clock_timestamp());
  return app.schedule_json(clock_timestamp());
end
$$;

grant execute on function api.set_crontab(text, text, boolean) to store_admin;
