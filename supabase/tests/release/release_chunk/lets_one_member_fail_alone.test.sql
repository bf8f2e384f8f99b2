begin;
\ir ../../support/fixture.psql
select plan(5);

create temporary table m as select pg_temp.reporter() as uid from generate_series(1, 3);
select pg_temp.report(pg_temp.sign_up(uid::text)) from m;
create temporary table bad as select min(uid) as uid from m;
create function pg_temp.poison() returns trigger language plpgsql as $$ begin
  if new.uid = (select uid from bad) then raise exception 'poisoned'; end if;
  return new;
end $$;
create trigger poison before insert on app.points_release_log for each row execute function pg_temp.poison();
insert into app.release_runs (release_date, started_at) values ('2026-01-02', now());
select results_eq(
  $$ select failures, skipped
  from app.release_chunk('2026-01-02', array(select uid from m), now()) $$, $$ values (1, array[]::bigint[]) $$,
  'one member fails and no member is deferred'
);
select set_eq(
  $$ select l.uid from app.points_release_log as l
  where l.release_date = '2026-01-02' $$, 'select uid from m except select uid from bad',
  'the other members are released'
);
select results_eq(
  $$ select users, points, failures from app.release_runs
  where release_date = '2026-01-02' $$, $$ values (2, 0.5760, 1) $$, 'the run has the number of failures'
);
select is(
  (select last_error from app.release_runs where release_date = '2026-01-02'),
  format('uid %s: P0001: poisoned', (select uid from bad)), 'the run has the failed member and the error'
);
select is(
  (pg_temp.balances((select uid from bad))).frozen_points, 720.0000, 'the balance of the failed member is unchanged'
);

select * from finish();
rollback;
