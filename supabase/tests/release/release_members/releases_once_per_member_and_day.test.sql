begin;
\ir ../../support/fixture.psql
select plan(6);

create temporary table m as select pg_temp.reporter() as a;
select pg_temp.report(pg_temp.sign_up((select a::text from m)));
select results_eq(
  $$ select users, points
  from app.release_members('2026-01-02', array[(select a from m)], now()) $$, $$ values (1, 0.2880) $$,
  'the first call releases 720 x 0.0004'
);
select results_eq(
  $$ select users, points
  from app.release_members('2026-01-02', array[(select a from m)], now()) $$, $$ values (0, 0::numeric) $$,
  'the second call releases nothing'
);
select results_eq(
  $$ select b.frozen_points, b.available_points, b.total_points_earned
  from m, lateral pg_temp.balances(m.a) as b $$, $$ values (719.7120, 0.2880, 720.0000) $$,
  'the sum of points is unchanged'
);
select results_eq($$ select type, frozen_delta, available_delta, basis, rate from app.user_bill as l, m
  where l.uid = m.a order by id desc limit 1 $$,
  $$ values ('frozen_points_release', -0.2880, 0.2880, 720.0000, 0.00040) $$, 'the bill row has basis and rate');
select is(
  app.release_candidates('2026-01-02', (select a from m) - 1, 1) @> array[(select a from m)], false,
  'the member is no longer a candidate'
);
select is(
  app.release_candidates('2026-01-03', (select a from m) - 1, 1), array[(select a from m)],
  'the member is a candidate for the next day'
);

select * from finish();
rollback;
