begin;
\ir ../../support/fixture.psql
select plan(9);

delete from app.settlement_jobs;
delete from app.outbox;
delete from app.release_runs;
delete from app.reconcile_runs;
create function pg_temp.measure(p_name text, p_labels jsonb default '{}') returns text language sql as $$
  select trim_scale(m.value)::text from app.metrics('2026-11-20 04:00:00+00') as m
  where m.name = 'store_' || p_name and m.labels = p_labels
$$;

select is(
  array[pg_temp.measure(
    'settlement_oldest_seconds'
  ), pg_temp.measure('outbox_overdue_seconds'), pg_temp.measure('release_unfinished_days')],
  array['0', '0', '0'], 'nothing waits in an empty store'
);
select is(
  array[pg_temp.measure('release_lag_days'), pg_temp.measure('reconcile_findings'),
  pg_temp.measure('reconcile_age_seconds')],
  array[null, null, null], 'what never ran has no measure'
);

create temporary table o as select pg_temp.buy(pg_temp.sign_up()) as first, pg_temp.buy(pg_temp.sign_up()) as second;
update app.settlement_jobs set created_at = '2026-11-20 03:58:30+00' where order_id = (select first from o);
update app.settlement_jobs set state = 'dead', attempts = 8, created_at = '2026-11-19 00:00:00+00'
where order_id = (select second from o);
select is(
  array[pg_temp.measure(
    'settlement_jobs', '{"state": "waiting"}'
  ), pg_temp.measure('settlement_jobs', '{"state": "dead"}'), pg_temp.measure('settlement_oldest_seconds')],
  array['1', '1', '90'], 'settlement jobs by state, and the age of the oldest that waits'
);

insert into app.outbox (kind, key, state, run_after, created_at) values
  ('close_payment', 'due', 'waiting', '2026-11-20 03:59:00+00', '2026-11-20 03:00:00+00'),
  ('close_payment', 'later', 'waiting', '2026-11-20 04:30:00+00', '2026-11-20 03:00:00+00'),
  ('close_payment', 'failed', 'failed', '2026-11-19 00:00:00+00', '2026-11-19 00:00:00+00');
select is(
  array[pg_temp.measure(
    'outbox_rows', '{"state": "waiting"}'
  ), pg_temp.measure('outbox_rows', '{"state": "failed"}'), pg_temp.measure('outbox_overdue_seconds')],
  array['2', '1', '60'], 'rows of the outbox by state, and for how long the first has been due'
);

insert into app.release_runs (release_date, started_at, finished_at) values (
  '2026-11-17', '2026-11-16 16:01:00+00', '2026-11-16 16:02:00+00'
);
insert into app.release_runs (release_date, started_at) values ('2026-11-18', '2026-11-17 16:01:00+00');
select is(
  array[pg_temp.measure('release_lag_days'), pg_temp.measure('release_unfinished_days')], array['3', '1'],
  'business days since the newest finished release'
);
insert into app.release_runs (release_date, started_at, finished_at) values (
  '2026-11-20', '2026-11-19 16:01:00+00', '2026-11-19 16:02:00+00'
);
select is(
  array[pg_temp.measure('release_lag_days'), pg_temp.measure('release_unfinished_days')], array['0', '1'],
  'a later day does not hide an unfinished one'
);

insert into app.reconcile_runs (started_at, finished_at, findings, sample) values
  ('2026-11-19 03:59:00+00', '2026-11-19 04:00:00+00', 7, '[]'),
    ('2026-11-20 03:00:00+00', '2026-11-20 03:30:00+00', 2, '[]');
select is(
  array[pg_temp.measure('reconcile_findings'), pg_temp.measure('reconcile_age_seconds')], array['2', '1800'],
  'findings and age of the latest reconciliation'
);

select is(
  (select count(*)::integer from app.metrics(now()) as m where m.name = 'store_scheduled_job_late'),
  (select count(*)::integer from app.scheduled_jobs as s where s.is_active), 'every active scheduled job has a measure'
);
update app.scheduled_jobs set is_active = false where name = 'expire_orders';
select is(
  pg_temp.measure('scheduled_job_late', '{"job": "expire_orders"}'), null, 'a job that is switched off has none'
);

select * from finish();
rollback;
