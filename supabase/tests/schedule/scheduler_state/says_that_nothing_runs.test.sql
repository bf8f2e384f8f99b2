-- Guarantee operation/scheduler: Health says when nothing runs the scheduled jobs
-- By: app.scheduler_state
begin;
\ir ../../support/fixture.psql
select plan(6);

delete from app.job_runs;
create function pg_temp.health(p_now timestamptz) returns text language sql as $$ select concat_ws(
  ' ', h ->> 'status', h ->> 'scheduler'
)
  from app.health_json(p_now) as h $$;
create function pg_temp.finding() returns text language sql as $$ select concat_ws(': ', c.severity, c.message, c.hint)
  from app.verify_schedule() as c where c.subject = 'pg_cron' $$;

select case when to_regclass('cron.job') is not null then skip('pg_cron is in this database', 6) else collect_tap(
  is(pg_temp.health(clock_timestamp()), 'degraded missing', 'without pg_cron the store is degraded'),
  is(
    pg_temp.finding(),
    'error: pg_cron is not installed in this database, so no scheduled job runs: Enable the extension pg_cron, then run as the owner of the store: select app.apply_schedule()',
    'the configuration check says what to do'
  ),
  throws_ok('select app.require_scheduler()', 'PT503', 'schedule_unavailable', 'changes of the schedule are rejected'),
  is((select batch from app.begin_run('settle_waiting_orders', 50)), 50, 'if another scheduler settles waiting orders'),
  is(pg_temp.health(clock_timestamp()), 'ok ok', 'the store is not degraded'),
  is(
    pg_temp.health(clock_timestamp() + interval '6 minutes'), 'degraded missing',
    'until that has not happened for five minutes'
  )
) end;

select * from finish();
rollback;
