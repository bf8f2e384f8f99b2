begin;
\ir ../../support/fixture.psql
select plan(6);

create temporary table m as select n, pg_temp.sign_up() as uid from generate_series(1, 4) as n;
update app.user_balances as b set frozen_points = 1000 * m.n from m where m.uid = b.uid and m.n < 4;
create function pg_temp.release(
  p_date date, p_members integer[], p_unknown bigint[] default '{}'
) returns text language sql as $$
  select concat_ws(' ', r.users, trim_scale(r.points), r.skipped)
  from app.release_members(
    p_date, (select array_agg(m.uid order by m.uid desc) from m where m.n = any (p_members)) || p_unknown, now()
  ) as r
$$;

select is(pg_temp.release('2026-03-01', '{2}'), '1 0.8 {}', 'a member is released');
select is(
  pg_temp.release('2026-03-01', '{1, 2, 3, 4}'), '2 1.6 {}',
  'then only the others who have points and were not released for the day'
);
select is(pg_temp.release('2026-03-01', '{1, 2, 3, 4}'), '0 0 {}', 'then nobody');
select results_eq(
  'select m.n, l.release_points from app.points_release_log as l join m on m.uid = l.uid order by m.n',
  'values (1, 0.4000), (2, 0.8000), (3, 1.2000)', 'each has one release of the day'
);
select is(
  pg_temp.release('2026-03-02', '{1, 2}', '{9000000000003, 9000000000001}'), '2 1.1994 {9000000000001,9000000000003}',
  'whose balance cannot be locked is named, in ascending order'
);
select is(
  pg_temp.release('2026-03-02', '{}', '{9000000000001}'), '0 0 {9000000000001}', 'also if nobody else is there'
);

select * from finish();
rollback;
