-- PUT /adminapi/system/crontab: when a job runs, by the business clock, and whether it does.
-- Security definer: the schedule is changed by functions only. Locks: the job's row. Safe twice.
-- Raises: forbidden, crontab_not_found, invalid_argument, schedule_unavailable.
create or replace function api.set_crontab(p_name text, p_schedule text default null, p_is_active boolean default null)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.scheduled_jobs;
  v_after app.scheduled_jobs;
begin
  perform app.require_admin();
  select j.* into v_before from app.scheduled_jobs as j where j.name = p_name for update;
  perform app.set_schedule(p_name, p_schedule, p_is_active, auth.uid(), clock_timestamp());
  select j.* into v_after from app.scheduled_jobs as j where j.name = p_name;
  perform app.record_action(
    'set_crontab', 'crontab', p_name, jsonb_build_object('schedule', v_before.schedule, 'is_active', v_before.is_active),
    jsonb_build_object('schedule', v_after.schedule, 'is_active', v_after.is_active)
  );
  return app.schedule_json(clock_timestamp());
end
$$;

grant execute on function api.set_crontab(text, text, boolean) to store_admin;
