-- Locks: the row of the job.
-- Raises: crontab_not_found, invalid_argument, schedule_unavailable.
-- Idempotent: setting the same values again changes nothing.
create or replace function app.set_schedule(p_name text, p_schedule text, p_is_active boolean, p_changed_by uuid, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from app.scheduled_jobs as j where j.name = p_name for update;
  if not found then
    perform app.fail('crontab_not_found', 'There is no scheduled job of this name.');
  end if;
  perform app.cron_in_utc(p_schedule, 'UTC', p_now) where p_schedule is not null;
  perform app.require_scheduler();
  update app.scheduled_jobs as j
  set schedule = coalesce(p_schedule, j.schedule), is_active = coalesce(p_is_active, j.is_active), changed_by = p_changed_by, changed_at = p_now
  where j.name = p_name and (j.schedule, j.is_active) <> (coalesce(p_schedule, j.schedule), coalesce(p_is_active, j.is_active));
  if found then
    perform app.apply_schedule(p_now);
  end if;
end
$$;

comment on function app.set_schedule is
  'Changes when a scheduled job runs, or switches it on or off, and applies that to pg_cron. Null leaves a setting as it is.';
