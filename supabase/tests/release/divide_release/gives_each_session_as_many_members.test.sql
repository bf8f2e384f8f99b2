begin;
\ir ../../support/fixture.psql
select plan(11);

delete from app.release_ranges;
delete from app.release_runs;
update app.user_balances set frozen_points = 0;
-- Far apart at the end: ranges of equal width would be unequal. Every third member has nothing to release.
create temporary table m as select n, pg_temp.sign_up() as uid from generate_series(1, 12) as n;
update app.user_balances set frozen_points = case when m.n % 3 = 0 then 0.2499 else 100 end from m
where m.uid = user_balances.uid;
create function pg_temp.members_of(p_day date) returns integer[] language sql as $$
  select array_agg(r.members order by r.last_uid)
  from (
    select g.last_uid, (
      select count(*)::integer from app.user_balances as b
      where b.uid > g.after_uid and b.uid <= g.last_uid and app.release_amount(b.frozen_points) > 0
    ) as members
    from app.release_ranges as g where g.release_date = p_day
  ) as r
$$;

select app.begin_release('2026-01-01', true, now());
select is(pg_temp.members_of('2026-01-01'), null, 'a night of one session has no ranges');
update app.settings set night_sessions = 2;
select app.begin_release('2026-01-01', true, now());
select is(pg_temp.members_of('2026-01-01'), null, 'a day that has begun keeps its one session');
select app.begin_release('2026-01-02', true, now());
select is(pg_temp.members_of('2026-01-02'), array[4, 4], 'two sessions have as many members to release');
select results_eq(
  $$ select after_uid, last_uid from app.release_ranges where release_date = '2026-01-02' order by last_uid $$,
  $$ select lag(e.uid, 1, 0::bigint) over (order by e.uid), e.uid
  from (select uid from m where n = 5 union all select 9223372036854775807) as e (uid) $$,
  'the ranges meet, begin with the first uid and have no end'
);
update app.settings set night_sessions = 3;
select app.begin_release('2026-01-02', true, now());
select is(pg_temp.members_of('2026-01-02'), array[4, 4], 'a day that has begun keeps its ranges');
select app.begin_release('2026-01-03', true, now());
select is(pg_temp.members_of('2026-01-03'), array[3, 3, 2], 'the next one has as many as there are sessions');
update app.settings set night_sessions = 8;
update app.user_balances set frozen_points = 0 from m where m.uid = user_balances.uid and m.n > 2;
select app.begin_release('2026-01-04', true, now());
select is(pg_temp.members_of('2026-01-04'), array[1, 1, 0], 'fewer members than sessions have a range each');
update app.user_balances set frozen_points = 0;
select app.begin_release('2026-01-05', true, now());
select is(pg_temp.members_of('2026-01-05'), array[0], 'a store without points has one range');
update app.user_balances set frozen_points = 100 from m where m.uid = user_balances.uid;
insert into app.release_runs (release_date, started_at) select d::date, now()
from generate_series('2026-01-06'::timestamp, '2026-01-07', '1 day') as d;
select app.divide_release('2026-01-06', 1, 5);
select is(
  pg_temp.members_of('2026-01-06'), array[4, 4, 4],
  'more members than a range may have are divided, also for one session'
);
select app.divide_release('2026-01-07', 1, 12);
select is(pg_temp.members_of('2026-01-07'), null, 'as many as it may have are not');
select throws_like($$ select app.divide_release('2026-01-05', 8) $$, '%release_ranges_pkey%', 'a day is divided once');

select * from finish();
rollback;
