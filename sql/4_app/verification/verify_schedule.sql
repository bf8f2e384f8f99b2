create or replace function app.verify_schedule()
returns table (check_id text, severity text, subject text, message text, hint text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if to_regclass('cron.job') is null then
    return query select 'cron_job_is_healthy', 'error', 'pg_cron', 'pg_cron is not installed in this database',
      'Enable the extension pg_cron and apply the migrations again, or use the database that has it.';
    return;
  end if;
  return query execute $query$
    select
      'cron_job_is_healthy',
      case when j.jobid is null or not j.active or d.status = 'failed' or l.name is not null then 'error' else 'ok' end,
      n.name,
      case
        when j.jobid is null then 'not scheduled'
        when not j.active then 'switched off'
        when l.name is not null then format('%s (UTC), late, last run: %s', j.schedule, coalesce(app.utc(l.last_run), 'not yet'))
        else format('%s (UTC), last run: %s', j.schedule, coalesce(d.status, 'not yet'))
      end,
      'See the schedule page or cron.job_run_details for the error of the last run.'
    from unnest(array[
      'fsgx_release_frozen_points', 'settle_waiting_orders', 'expire_orders', 'receive_delivered_orders', 'reconcile_bill', 'ensure_month_partitions'
    ]) as n (name)
    left join cron.job as j on j.jobname = n.name
    left join app.late_jobs(clock_timestamp()) as l on l.name = n.name
    left join lateral (
      select r.status from cron.job_run_details as r
      where r.jobid = j.jobid and r.end_time is not null order by r.runid desc limit 1
    ) as d on true
  $query$;
  return query select
    'cron_job_is_healthy',
    case when j.dead > 0 or j.is_late then 'error' else 'ok' end,
    'settlement jobs', format('%s waiting, %s failed, oldest waiting since %s', j.waiting, j.dead, coalesce(app.utc(j.due_since), 'none')),
    'See the settlement jobs for errors. If none has failed, check that pg_cron is running.'
  from app.settlement_job_state(clock_timestamp()) as j;
end
$$;

comment on function app.verify_schedule is
  'Checks that the essential scheduled jobs are scheduled, active, not late and did not fail in their last run, and that no '
  'settlement job is dead or overdue. Without pg_cron, that is an error.';
