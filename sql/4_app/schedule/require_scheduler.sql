-- Raises: schedule_unavailable.
create or replace function app.require_scheduler()
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if to_regclass('cron.job') is null then
    perform app.fail('schedule_unavailable', 'pg_cron is not installed in this database.');
  end if;
end
$$;

comment on function app.require_scheduler is 'Raises an error if pg_cron is not installed in this database.';
