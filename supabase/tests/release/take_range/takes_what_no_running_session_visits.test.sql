begin;
\ir ../../support/fixture.psql
select plan(11);

create temporary table taken (name text, run bigint);
-- A run of this session, which runs, and one that was cut.
with own as (select id from app.begin_run('fsgx_release_frozen_points', 250)) insert into taken select 'running', id
from own;
with cut as (
  insert into app.job_runs (job, started_at, usual_batch, pid, cut_at) values (
    'fsgx_release_frozen_points', now(), 250, 0, now()
  )
  returning id
)
insert into taken select 'cut', id from cut;
insert into taken select 'later', max(run) + 1 from taken;
create function pg_temp.run(p_name text) returns bigint language sql as $$ select t.run from taken as t
  where t.name = p_name $$;
create function pg_temp.take(p_run text) returns text language sql as $$
  select coalesce(g.last_uid || ' after ' || g.after_uid, 'none')
  from app.take_range('2026-01-02', pg_temp.run(p_run)) as g
$$;

insert into app.release_runs (release_date, started_at, failures) values ('2026-01-02', now(), 5),
  ('2026-01-03', now(), 0);
insert into app.release_ranges (release_date, last_uid, after_uid, users, points) values
  ('2026-01-02', 10, 10, 3, 1.5), ('2026-01-02', 20, 10, 0, 0), ('2026-01-02', 30, 20, 0, 0),
    ('2026-01-03', 5, 0, 7, 7);

select is(pg_temp.take('running'), '20 after 10', 'the first one that is not finished');
select is(pg_temp.take('later'), '30 after 20', 'not one that a running session visits');
select is(pg_temp.take('running'), '30 after 20', 'one of a run that is not known any more');
select is(pg_temp.take('later'), 'none', 'then there is none');

update app.release_ranges set run = pg_temp.run('cut') where last_uid = 20;
select app.advance_range('2026-01-02', 20, 15);
select app.advance_range('2026-01-02', 20, 12);
select is(
  pg_temp.take('later'), '20 after 15', 'one that was begun by a cut run, after the last member that it visited'
);
select app.end_range('2026-01-02', 20, 2);
select is(pg_temp.take('later'), 'none', 'a run does not retry a range in which it had failures');
update taken set run = run + 1 where name = 'later';
select is(pg_temp.take('later'), '20 after 15', 'a later one does');
select app.end_range('2026-01-02', 20, 1);

select app.end_release('2026-01-02', 0, now());
select results_eq(
  $$ select users, points, failures, finished_at is null from app.release_runs
  where release_date = '2026-01-02' $$, $$ values (3, 1.5, 1, true) $$,
  'the day has the sums of its ranges, and is not finished while one of them is not'
);
update app.release_ranges set users = 2, points = 0.25 where last_uid = 30;
select app.end_range('2026-01-02', 30, 0);
update taken set run = run + 1 where name = 'later';
select is(pg_temp.take('later'), '20 after 15', 'the failures are retried again');
select app.end_range('2026-01-02', 20, 0);
select app.end_range('2026-01-02', 20, 4);
select is(pg_temp.take('later'), 'none', 'a finished range stays as it is');
select app.end_release('2026-01-02', 9, now());
select results_eq(
  $$ select users, points, failures, finished_at = now() from app.release_runs
  where release_date = '2026-01-02' $$, $$ values (5, 1.75, 0, true) $$,
  'the day is finished once all ranges are'
);

select * from finish();
rollback;
