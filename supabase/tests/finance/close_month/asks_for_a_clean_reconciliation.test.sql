begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(8);

create temporary table m as select pg_temp.administrator() as finance;
create function pg_temp.close() returns text language plpgsql as $$
declare
  v_answer text := pg_temp.call((select m.finance from m), 'close_month', '{"p_month": "2015-01"}');
begin
  return case when v_answer like '{%' then v_answer::jsonb ->> 'month' else v_answer end;
end
$$;
create function pg_temp.run(
  p_started timestamptz, p_finished timestamptz, p_findings integer
) returns text language plpgsql as $$
begin
  insert into app.reconcile_runs (started_at, finished_at, findings) values (p_started, p_finished, p_findings);
  return pg_temp.close();
end
$$;

select is(pg_temp.close(), 'PT409 reconciliation_needed', 'no month is closed before the first reconciliation');
select is(pg_temp.run(now(), null, 0), 'PT409 reconciliation_needed', 'a reconciliation that runs is not enough');
select is(
  pg_temp.run('2015-01-31T15:59:59Z', now(), 0), 'PT409 reconciliation_needed',
  'nor is one that began before the end of the month'
);
select is(
  pg_temp.run(now() - interval '8 days', now() - interval '7 days', 0), 'PT409 reconciliation_needed',
  'nor one that is older than 7 days'
);
select is(pg_temp.run(now(), now(), 1), 'PT409 reconciliation_needed', 'nor one that found something');
delete from app.clock;
insert into app.clock (trusted_at) values ('2015-01-31T12:00:00Z');
select is(pg_temp.run(now(), now(), 0), 'PT409 clock_doubtful', 'nor one whose end the clock has not certainly passed');
delete from app.clock;
select is(
  pg_temp.run('2015-01-31T16:00:00Z', now() - interval '7 days' + interval '1 hour', 0), '2015-01',
  'after a clean one that began when the month ended, it is closed'
);
delete from app.reconcile_runs;
select is(pg_temp.close(), '2015-01', 'a month that is closed stays closed');

select * from finish();
rollback;
