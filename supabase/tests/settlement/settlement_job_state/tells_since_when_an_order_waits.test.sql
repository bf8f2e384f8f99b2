begin;
\ir ../../support/fixture.psql
select plan(6);

delete from app.settlement_jobs;
delete from app.imports;
create temporary table t as select '2026-03-01 12:00+00'::timestamptz as now;
create function pg_temp.state(p_after interval) returns text language sql as $$
  select concat_ws(
    ', ', s.waiting || ' wait', s.dead || ' dead', 'since ' || to_char(s.waiting_since at time zone 'UTC', 'HH24:MI'),
    case when s.is_late then 'late' end, 'import since ' || to_char(s.import_since at time zone 'UTC', 'HH24:MI')
  )
  from t, app.settlement_job_state(t.now + p_after) as s
$$;

select is(pg_temp.state('0'), '0 wait, 0 dead', 'without orders, nothing waits');
create temporary table o as select n, pg_temp.buy(pg_temp.sign_up()) as id from generate_series(1, 3) as n;
update app.settlement_jobs as j set created_at = t.now + (o.n - 1) * interval '10 minutes',
  state = case o.n when 1 then 'dead' else 'waiting' end, attempts = case o.n when 1 then 8 else 0 end,
  last_error = case o.n when 1 then 'for the test' end, run_after = t.now + interval '1 day'
from o, t where o.id = j.order_id;
select is(
  pg_temp.state('15 minutes'), '2 wait, 1 dead, since 12:10',
  'the oldest that waits counts, not what has failed for good, and not when it is due'
);
select is(pg_temp.state('15 minutes 1 second'), '2 wait, 1 dead, since 12:10, late', 'after five minutes, it is late');
insert into app.imports (form, source_hash, started_at) select 'neutral', repeat('a', 64), t.now - interval '1 hour'
from t;
select is(
  pg_temp.state('10 minutes'), '2 wait, 1 dead, since 12:10, import since 11:00',
  'an import that is not finished is told'
);
update app.imports set finished_at = started_at;
select is(pg_temp.state('10 minutes'), '2 wait, 1 dead, since 12:10', 'one that is finished is not');
delete from app.settlement_jobs where state = 'waiting';
select is(pg_temp.state('1 day'), '0 wait, 1 dead', 'what has failed for good is never late');

select * from finish();
rollback;
