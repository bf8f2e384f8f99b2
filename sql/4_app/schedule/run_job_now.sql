-- Lets pg_cron run a job once in the next minute: a job that commits while it runs cannot be run by a request itself.
-- Returns that minute. The one-time job is named `<name>:now` and taken off the list by purge_cron_history.
-- Callers: api.run_crontab. Raises: crontab_not_found, schedule_unavailable. Safe twice: the second replaces the first.
-- Run by the owner of the store, whose jobs they are.
create or replace function app.run_job_now(p_name text, p_now timestamptz)
returns timestamptz
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  -- pg_cron looks at the beginning of each minute; one that is about to begin may be too near.
  v_minute timestamptz := date_trunc('minute', p_now + interval '65 seconds');
  v_command text := (select j.command from app.scheduled_jobs as j where j.name = p_name);
begin
  if v_command is null then
    perform app.fail('crontab_not_found', 'There is no scheduled job of this name.');
  end if;
  perform app.require_scheduler();
  execute 'select cron.schedule($1, $2, $3)'
  using p_name || ':now', to_char(v_minute at time zone 'UTC', 'FMMI FMHH24 FMDD FMMM "*"'), v_command;
  return v_minute;
end
$$;
