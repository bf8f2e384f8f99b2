begin;
\ir ../../support/fixture.psql
select plan(7);

delete from app.release_runs;
create function pg_temp.is_named_only(p_day date) returns boolean language sql as $$ select r.is_named_only
  from app.release_runs as r where r.release_date = p_day $$;

-- The daily run begins a day and is cut before it ends; then an administrator names that day.
select app.begin_release('2026-03-01', false, '2026-03-01T00:10:00Z');
select app.begin_release('2026-03-01', true, '2026-03-01T09:00:00Z');
select is(
  pg_temp.is_named_only('2026-03-01'), false,
  'a run that names an unfinished day of the daily run leaves it a day of the daily run'
);
select app.end_release('2026-03-01', 0, '2026-03-01T09:01:00Z');
select is(
  app.days_to_release(null, '2026-03-03'), array['2026-03-02', '2026-03-03']::date[], 'the days since then are missed'
);

-- The other way round: named first, then part of the daily run.
select app.begin_release('2026-02-01', true, '2026-02-01T09:00:00Z');
select is(pg_temp.is_named_only('2026-02-01'), true, 'a day that was only released by name is marked as such');
select app.begin_release('2026-02-01', true, '2026-02-01T10:00:00Z');
select is(pg_temp.is_named_only('2026-02-01'), true, 'a second run by name does not change the mark');
select app.begin_release('2026-02-01', false, '2026-02-01T11:00:00Z');
select is(pg_temp.is_named_only('2026-02-01'), false, 'the daily run removes the mark');

-- A run that was named was cut, and the daily run of a later day completes it.
select app.begin_release('2026-01-01', true, '2026-01-20T09:00:00Z');
select app.begin_release('2026-01-01', false, '2026-01-21T09:00:00Z');
select is(pg_temp.is_named_only('2026-01-01'), true, 'completing a named day does not make it a day of the daily run');
select app.end_release('2026-01-01', 0, '2026-01-21T09:01:00Z');
select ok('2026-01-02' <> all (app.days_to_release(null, '2026-03-03')), 'so the days after it are not missed');

select * from finish();
rollback;
