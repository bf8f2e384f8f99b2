begin;
\ir ../../support/fixture.psql
select plan(2);

-- What the function uses of pg_cron, in a database without it.
do $$
begin
  if to_regclass('cron.job') is null then
    create schema cron;
    create table cron.job (jobid bigint, jobname text, schedule text, active boolean);
    create table cron.job_run_details (
      jobid bigint, runid bigint, status text, start_time timestamptz, end_time timestamptz
    );
    create function cron.unschedule(job_name text) returns boolean language sql as 'select true';
    insert into cron.job select row_number() over (order by j.name), j.name, j.schedule, true
    from app.scheduled_jobs as j;
  end if;
end $$;
delete from cron.job_run_details;
insert into cron.job_run_details (runid, jobid, status, start_time, end_time)
select 1000000 + r.number, j.jobid, r.status, now() - r.age, now() - r.age
from (values
  (1, 'settle_waiting_orders', 'succeeded', interval '3 days'),
    (2, 'settle_waiting_orders', 'failed', interval '3 days'),
    (3, 'settle_waiting_orders', 'succeeded', interval '1 day'),
  (4, 'receive_delivered_orders', 'succeeded', interval '3 days'),
  (5, 'apply_schedule', 'succeeded', interval '3 days'), (6, 'reconcile_bill', 'succeeded', interval '29 days'),
  (7, 'reconcile_bill', 'failed', interval '31 days')
) as r (number, name, status, age)
join cron.job as j on j.jobname = r.name;

select is(app.purge_run_records(now(), 1000), false, 'all that is old is deleted at once');
select set_eq('select runid - 1000000 from cron.job_run_details', array[2, 3, 5, 6]::bigint[],
  'of jobs that run every few minutes, successful runs are deleted after two days; failed ones and those of other jobs after 30');

select * from finish();
rollback;
