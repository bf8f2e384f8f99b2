begin;
\ir ../../support/fixture.psql
select plan(12);

-- Each statement of this file ends at once, so a run that one has begun and none has ended was cut.
delete from app.job_runs;
-- Within a transaction, pg_stat_activity is read once.
create function pg_temp.run(p_job text, p_batch integer, out id bigint, out batch integer) language plpgsql as $$
begin
  perform pg_stat_clear_snapshot();
  select r.id, r.batch into id, batch from app.begin_run(p_job, p_batch) as r;
end $$;
create function pg_temp.mark() returns void language plpgsql as $$ begin perform pg_stat_clear_snapshot(); perform app.mark_cut_runs(); end $$;
select is((select batch from pg_temp.run('settle_waiting_orders', 50)), 50, 'the first run has batches of the usual size');
select is((select batch from pg_temp.run('settle_waiting_orders', 50)), 25, 'a run that was cut without a batch halves them');
select is((select count(*) from app.job_runs where cut_at is not null), 1::bigint, 'and is recorded as cut by the next run');
select app.end_batch(max(id)) from app.job_runs;
select is((select batch from pg_temp.run('settle_waiting_orders', 50)), 25, 'a run that was cut after a batch does not');
select is((select batch from pg_temp.run('sum_team_totals', 1000)), 1000, 'another job has batches of its own');
select set_eq('select unnest(app.unfinished_jobs())', array['settle_waiting_orders'], 'a job with a cut run is unfinished');
select app.end_run(max(id)) from app.job_runs where job = 'settle_waiting_orders';
select is((select count(*) from app.job_runs where cut_at is not null and completed_at is null), 0::bigint, 'a run that ends completes what the cut ones left');
select is((select batch from pg_temp.run('settle_waiting_orders', 50)), 50, 'and its batches grow again');
select is((select batch from pg_temp.run('settle_waiting_orders', 1)), 1, 'a batch has at least one row');
select is((select batch from pg_temp.run('settle_waiting_orders', 1)), 1, 'however often it was cut');

-- The day of a release and a reconciliation count the runs that were cut.
create temporary table begun as select id from pg_temp.run('fsgx_release_frozen_points', 250);
select app.begin_release('2026-03-01', false, now());
select app.begin_part(id, '2026-03-01') from begun;
select pg_temp.mark();
select app.begin_release('2026-03-01', false, now());
select is((select cuts from app.release_runs where release_date = '2026-03-01'), 1, 'a day says how often its release was cut');
update app.reconcile_runs set finished_at = now() where finished_at is null;
select app.begin_reconcile(id) from pg_temp.run('reconcile_bill', 250);
select pg_temp.mark();
select app.begin_reconcile(id) from pg_temp.run('reconcile_bill', 250);
select is((select array_agg(cuts) from app.reconcile_runs where finished_at is null), array[1], 'so does a reconciliation, which is continued');

select * from finish();
rollback;
