begin;
\ir ../../support/fixture.psql
select plan(5);

create function pg_temp.state() returns text language sql as $$ select app.health_json(clock_timestamp()) ->> 'scheduler' $$;
create function pg_temp.measure() returns text language sql as $$ select trim_scale(m.value)::text
  from app.metrics(clock_timestamp()) as m where m.name = 'store_scheduler_ok' $$;

-- What the functions read of pg_cron, in a database without it.
do $$
begin
  if to_regclass('cron.job') is null then
    create schema cron;
    create table cron.job (jobid bigint, jobname text, active boolean);
    create table cron.job_run_details (
      jobid bigint, runid bigint, status text, start_time timestamptz, end_time timestamptz
    );
    insert into cron.job select row_number() over (), j.name, true from app.scheduled_jobs as j;
    update app.scheduled_jobs set changed_at = clock_timestamp();
  end if;
end $$;

insert into app.scheduled_jobs (name, title, title_zh, command, schedule, preset) values (
  'of_a_test', 'Of a test', '测试', 'select 1', '* * * * *', '* * * * *'
);
select is(pg_temp.state(), 'not_scheduled', 'pg_cron does not have an active job');
select is(app.health_json(clock_timestamp()) ->> 'status', 'degraded', 'which degrades the store');
select is(pg_temp.measure(), '0', 'the scheduler is not ok while a job is missing');
update app.scheduled_jobs set is_active = false where name = 'of_a_test';
select isnt(pg_temp.state(), 'not_scheduled', 'a job that is switched off is not missing');
select is(pg_temp.measure(), (pg_temp.state() = 'ok')::integer::text, 'the scheduler is ok when all jobs are back');

select * from finish();
rollback;
