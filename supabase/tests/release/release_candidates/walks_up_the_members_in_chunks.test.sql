begin;
\ir ../../support/fixture.psql
select plan(4);

create temporary table m as select n, pg_temp.sign_up() as uid from generate_series(1, 4) as n;
update app.user_balances set frozen_points = case m.n when 2 then 0.2499 else 100 end from m
where m.uid = user_balances.uid;
select is(
  app.release_candidates('2026-01-02', (select min(uid) - 1 from m), 2),
  array(select uid from m where n in (1, 3) order by n), 'a chunk has only members with enough points'
);
select is(
  app.release_candidates('2026-01-02', (select uid from m where n = 3), 2), array(select uid from m where n = 4),
  'the next chunk has the rest'
);
select app.release_members('2026-01-02', array(select uid from m where n = 4), now());
select is(
  app.release_candidates('2026-01-02', (select uid from m where n = 3), 2), array[]::bigint[],
  'released members are not candidates'
);
select is(
  app.release_candidates('2026-01-03', (select uid from m where n = 3), 2), array(select uid from m where n = 4),
  'they are candidates for another day'
);

select * from finish();
rollback;
