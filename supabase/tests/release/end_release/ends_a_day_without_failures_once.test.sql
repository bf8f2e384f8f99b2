begin;
\ir ../../support/fixture.psql
select plan(8);

create temporary table t as select '2026-03-02 00:10+00'::timestamptz as start;
select app.begin_release(d.day, false, t.start) from t, unnest('{2026-03-01, 2026-03-02}'::date[]) as d (day);
create function pg_temp.run(p_day date) returns text language sql as $$
  select concat_ws(' ', r.failures, r.last_error, coalesce((r.finished_at - t.start)::text, 'goes on'))
  from app.release_runs as r cross join t where r.release_date = p_day
$$;
create function pg_temp.end(p_failures integer, p_after interval) returns text language sql as $$
  select app.end_release('2026-03-01', p_failures, t.start + p_after) from t;
  select pg_temp.run('2026-03-01');
$$;
create function pg_temp.told() returns text language sql as $$
  select string_agg(e.subject_id::text || to_char(e.add_time at time zone 'UTC', ' HH24:MI'), ', ' order by e.id)
  from app.events as e where e.type = 'points.released' and e.subject_id in (20260301, 20260302)
$$;

select app.note_release_failure('2026-03-01', 7, 'no lock');
select is(pg_temp.end(1, '1 minute'), '1 uid 7: no lock goes on', 'a day with failures goes on');
select is(pg_temp.told(), null, 'and is not told');
select is(pg_temp.end(0, '5 minutes'), '0 00:05:00', 'without failures, it ends at the time of the call');
select is(pg_temp.told(), '20260301 00:15', 'which is told');
select is(pg_temp.end(3, '9 minutes'), '0 00:05:00', 'a day that has ended stays as it is');
select is(pg_temp.told(), '20260301 00:15', 'and is told once');
select is(pg_temp.run('2026-03-02'), '0 goes on', 'other days go on');
select app.end_release('2026-03-02', 0, t.start - interval '1 hour') from t;
select is(pg_temp.run('2026-03-02'), '0 00:00:00', 'no day ends before it has started');

select * from finish();
rollback;
