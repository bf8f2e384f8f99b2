begin;
\ir ../../support/fixture.psql
select plan(5);

delete from app.settlement_jobs;
-- A database without pg_cron needs another scheduler, which settled a moment ago.
create temporary table schedulers as select 1 from app.begin_run('settle_waiting_orders', 50);
update app.job_runs set started_at = '2026-01-02 03:09:00+00';
create temporary table o as select pg_temp.buy(pg_temp.sign_up()) as id;
create function pg_temp.health(p_now timestamptz) returns text language sql as $$ select concat_ws(
  ' ', h ->> 'status', h ->> 'waiting_jobs', h ->> 'dead_jobs', h ->> 'due_since'
)
  from app.health_json(p_now) as h $$;
update app.settlement_jobs set created_at = '2026-01-02 03:04:05+00';
select is(
  pg_temp.health('2026-01-02 03:09:00+00'), 'ok 1 0 2026-01-02T03:04:05.000Z',
  'a job that has waited for less than five minutes is in order'
);
select is(
  pg_temp.health('2026-01-02 03:09:06+00'), 'degraded 1 0 2026-01-02T03:04:05.000Z',
  'a job that has waited for longer degrades the state'
);
update app.settlement_jobs set run_after = '2026-01-02 04:04:05+00';
select is(
  pg_temp.health('2026-01-02 03:09:06+00'), 'degraded 1 0 2026-01-02T03:04:05.000Z',
  'so does one whose next attempt is not due yet'
);
update app.settlement_jobs set state = 'dead', attempts = 8;
select is(pg_temp.health('2026-01-02 03:04:00+00'), 'degraded 0 1', 'a dead job degrades the state');
select ok(
  not exists (select from app.late_jobs('infinity') as l where to_regclass('cron.job') is null),
  'without pg_cron no job is late'
);

select * from finish();
rollback;
