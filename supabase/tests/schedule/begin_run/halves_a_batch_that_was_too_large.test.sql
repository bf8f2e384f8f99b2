begin;
\ir ../../support/fixture.psql
select plan(17);

-- Needs a message for each statement: a run that one has begun and none has ended was cut, because each statement ends
-- at once. No job of another session begins a run meanwhile.
lock table app.job_runs in share row exclusive mode;
delete from app.job_runs;
select is(
  (select batch from app.begin_run('settle_waiting_orders', 50)), 50, 'the first run has batches of the usual size'
);
select is(
  (select batch from app.begin_run('settle_waiting_orders', 50)), 25,
  'the run after one that was cut without completing a batch has batches of half the size'
);
select is(
  (select count(*) from app.job_runs where cut_at is not null), 1::bigint, 'the next run records the earlier one as cut'
);
-- A batch takes as long as its transaction. This one has taken more than a quarter of the limit.
select pg_sleep(0.6);
set local statement_timeout = '2s';
select is(
  (select app.end_batch(max(id)) from app.job_runs), 25, 'a slow batch does not change the size of the next one'
);
select is(
  (select batch from app.begin_run('settle_waiting_orders', 50)), 25,
  'a run that was cut after a complete batch does not reduce the size'
);
select is((select batch from app.begin_run('sum_team_totals', 1000)), 1000, 'another job has batches of its own');
select set_eq(
  'select job from app.unfinished_runs()', array['settle_waiting_orders'], 'a job with a cut run is unfinished'
);
update app.scheduled_jobs set is_active = false where name = 'settle_waiting_orders';
select is_empty('select app.unfinished_runs()', 'a job that is switched off is not unfinished');
update app.scheduled_jobs set is_active = true where name = 'settle_waiting_orders';
set local statement_timeout = '1h';
select is(
  (select app.end_batch(max(id)) from app.job_runs where job = 'settle_waiting_orders'), 50,
  'a quick batch doubles the next one'
);
select is(
  (select app.end_batch(max(id)) from app.job_runs where job = 'settle_waiting_orders'), 50,
  'a batch never exceeds the usual size'
);
set local statement_timeout = 0;
select app.end_run(max(id)) from app.job_runs where job = 'settle_waiting_orders';
select is(
  (select count(*) from app.job_runs where cut_at is not null and completed_at is null), 0::bigint,
  'a run that ends completes the cut runs'
);
select is(
  (select batch from app.begin_run('settle_waiting_orders', 50)), 50,
  'the next run begins with the size that the last one reached'
);
select is((select batch from app.begin_run('settle_waiting_orders', 1)), 1, 'a batch has at least one row');
select is(
  (select batch from app.begin_run('settle_waiting_orders', 1)), 1,
  'a batch has at least one row after any number of cuts'
);
select is((select max(halvings) from app.job_runs), 1::smallint, 'the number of halvings does not grow any more');

-- The day of a release and a reconciliation count the runs that were cut.
create temporary table begun as select id from app.begin_run('fsgx_release_frozen_points', 250);
select app.begin_release('2026-03-01', false, now());
select app.begin_part(id, '2026-03-01') from begun;
select app.mark_cut_runs();
select app.begin_release('2026-03-01', false, now());
select is(
  (select cuts from app.release_runs where release_date = '2026-03-01'), 1, 'the release of a day counts its cuts'
);
update app.reconcile_runs set finished_at = now() where finished_at is null;
select app.begin_reconcile(id) from app.begin_run('reconcile_bill', 250);
select app.mark_cut_runs();
select app.begin_reconcile(id) from app.begin_run('reconcile_bill', 250);
select is(
  (select array_agg(cuts) from app.reconcile_runs where finished_at is null), array[1],
  'an unfinished reconciliation counts its cuts'
);

select * from finish();
rollback;
