-- Checks that the jobs the store lives by are on the schedule, switched on, and did not fail the last time.
-- Callers: verify_agent_config. Reads only. Without pg_cron nothing runs by itself, which is an error.
create or replace function app.verify_schedule()
returns table (check_id text, severity text, subject text, message text, hint text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if to_regclass('cron.job') is null then
    return query select 'cron_job_is_healthy', 'error', 'pg_cron', 'pg_cron is not installed in this database',
      'Enable the extension pg_cron and apply the migrations again, or point this at the database that has it.';
    return;
  end if;
  return query execute $query$
    select
      'cron_job_is_healthy',
      case when j.jobid is null or not j.active or d.status = 'failed' then 'error' else 'ok' end,
      n.name,
      case
        when j.jobid is null then 'not scheduled'
        when not j.active then 'switched off'
        else format('%s (UTC), last run: %s', j.schedule, coalesce(d.status, 'not yet'))
      end,
      'Look at the schedule page, or at cron.job_run_details for the message of the last run.'
    from unnest(array['fsgx_release_frozen_points', 'settle_waiting_orders', 'reconcile_bill', 'ensure_month_partitions']) as n (name)
    left join cron.job as j on j.jobname = n.name
    left join lateral (
      select r.status from cron.job_run_details as r
      where r.jobid = j.jobid and r.end_time is not null order by r.runid desc limit 1
    ) as d on true
  $query$;
end
$$;
