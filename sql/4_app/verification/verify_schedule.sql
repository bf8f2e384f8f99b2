create or replace function app.verify_schedule()
returns table (check_id text, severity text, subject text, message text, hint text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if to_regclass('cron.job') is null then
    return query select
      'cron_job_is_healthy', case s.state when 'ok' then 'ok' else 'error' end, 'pg_cron',
      case s.state when 'ok' then 'another scheduler runs the jobs' else 'pg_cron is not installed in this database, so no scheduled job runs' end,
      'Enable the extension pg_cron, then run as the owner of the store: select app.apply_schedule()'
    from app.scheduler_state(clock_timestamp()) as s (state);
  else
    return query execute $query$
      select
        'cron_job_is_healthy',
        case
          when j.jobid is null or not j.active or l.name is not null then 'error'
          when d.status = 'failed' and not exists (
            select from app.job_runs as r where r.job = n.name and r.started_at >= d.start_time and r.completed_at is not null
          ) then 'error'
          else 'ok'
        end,
        n.name,
        case
          when j.jobid is null and s.is_active then 'not scheduled'
          when j.jobid is null or not j.active then 'switched off'
          when l.name is not null then format('%s (UTC), late, last run: %s', j.schedule, coalesce(app.utc(l.last_run), 'not yet'))
          else format('%s (UTC), last run: %s', j.schedule, coalesce(d.status, 'not yet'))
        end,
        case
          when not s.is_active then 'Switch the job on in the schedule.'
          when j.jobid is null then 'Run as the owner of the store: select app.apply_schedule()'
          else 'See the schedule page or cron.job_run_details for the error of the last run.'
        end
      from unnest(array[
        'fsgx_release_frozen_points', 'settle_waiting_orders', 'expire_orders', 'receive_delivered_orders', 'reconcile_bill',
        'continue_unfinished_runs', 'ensure_month_partitions'
      ]) as n (name)
      join app.scheduled_jobs as s on s.name = n.name
      left join cron.job as j on j.jobname = n.name
      left join app.late_jobs(clock_timestamp()) as l on l.name = n.name
      left join lateral (
        select r.status, r.start_time from cron.job_run_details as r
        where r.jobid = j.jobid and r.end_time is not null order by r.runid desc limit 1
      ) as d on true
    $query$;
  end if;
  return query select
    'cron_job_is_healthy',
    case when j.dead > 0 or j.is_late then 'error' when j.import_since is not null then 'warning' else 'ok' end,
    'settlement jobs',
    case when j.import_since is null
      then format('%s waiting, %s failed, oldest waiting since %s', j.waiting, j.dead, coalesce(app.utc(j.due_since), 'none'))
      else format('%s waiting for the import that began at %s and is unfinished', j.waiting, app.utc(j.import_since)) end,
    case when j.import_since is null
      then 'See the settlement jobs for errors. If none has failed, check that pg_cron is running.'
      else 'Continue the import with npm run import, or end it: npm run import -- --abandon' end
  from app.settlement_job_state(clock_timestamp()) as j;
  return query select
    'cron_job_is_healthy', case when min(r.started_at) < clock_timestamp() - make_interval(days => 1) then 'error' else 'ok' end, 'runs that were cut',
    format('%s to be continued, oldest of %s', count(*), coalesce(app.utc(min(r.started_at)), 'none')),
    'They are continued every five minutes. If they are cut again and again, raise the statement_timeout of the role postgres.'
  from app.job_runs as r join app.scheduled_jobs as s on s.name = r.job and s.is_active
  where r.cut_at is not null and r.ended_at is null and r.completed_at is null;
end
$$;

comment on function app.verify_schedule is
  'Checks that the essential scheduled jobs are scheduled, active, not late and did not fail in their last run, and that no '
  'settlement job is dead or overdue and no cut run of an active job is left for a day. A missing pg_cron is an error unless another scheduler runs '
  'the jobs.';
