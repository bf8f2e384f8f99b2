begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table m as select pg_temp.sign_up() as top;
create temporary table n as select pg_temp.sign_up((select top::text from m)) as middle;
create temporary table l as select pg_temp.sign_up(pg_temp.sign_up((select middle::text from n))::text) as bottom;
select throws_ok(
  'select app.bind_spread(top, bottom, now()) from m, l', 'PT422', 'spread_in_own_downline',
  'a great-grandchild is rejected as referrer'
);
create temporary table b as select pg_temp.sign_up() as other;
select lives_ok(
  $$ select app.bind_spread(top, other, '2026-01-02 03:04:05+00') from m, b $$, 'another member is accepted'
);
select is(
  (select spread_time from app.users as u, m where u.uid = m.top), '2026-01-02 03:04:05+00'::timestamptz,
  'the time is stored'
);

select * from finish();
rollback;
