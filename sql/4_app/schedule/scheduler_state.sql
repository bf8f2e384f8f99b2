-- Where pg_cron is not installed, another scheduler may call the jobs: the settlement of waiting orders then has a recent run.
-- Security definer: client roles may not read the tables of pg_cron.
create or replace function app.scheduler_state(p_now timestamptz)
returns text
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_is_complete boolean;
begin
  if to_regclass('cron.job') is null then
    return case
      when exists (
        select from app.job_runs as r where r.job = 'settle_waiting_orders' and r.started_at > p_now - interval '5 minutes'
      ) then 'ok'
      else 'missing'
    end;
  end if;
  execute $sql$
    select not exists (
      select from app.scheduled_jobs as j
      where j.is_active and not exists (select from cron.job as c where c.jobname = j.name and c.active)
    )
  $sql$ into v_is_complete;
  return case
    when not v_is_complete then 'not_scheduled'
    when exists (select from app.late_jobs(p_now, 'settle_waiting_orders')) then 'late'
    else 'ok'
  end;
end
$$;

comment on function app.scheduler_state is
  'Returns the state of the scheduler: ok; missing if pg_cron is not installed and nothing else runs the jobs; not_scheduled if '
  'pg_cron does not have all active jobs; or late if it has them and the settlement of waiting orders, which is due every minute, '
  'did not run.';

grant execute on function app.scheduler_state(timestamptz) to store_admin;
