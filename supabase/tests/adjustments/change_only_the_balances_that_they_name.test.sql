begin;
\ir ../support/fixture.psql
select plan(1);

create temporary table m as select n, pg_temp.sign_up() as uid from generate_series(1, 3) as n;
create temporary table a as
select r.* from m, lateral app.create_adjustment(
  m.uid, case m.n when 1 then 5.00 end, case m.n when 2 then 6 end, case m.n when 3 then 7 end, 'Test',
  pg_temp.administrator(), now()
) as r;
select results_eq(
  'select m.n, a.brokerage_delta, a.frozen_delta, a.available_delta, b.brokerage_price, b.frozen_points, b.available_points from m join a using (uid) join app.user_balances as b using (uid) order by m.n',
  'values (1, 5.00, 0.0000, 0.0000, 5.00, 0.0000, 0.0000), (2, 0.00, 6.0000, 0.0000, 0.00, 6.0000, 0.0000), (3, 0.00, 0.0000, 7.0000, 0.00, 0.0000, 7.0000)',
  'an adjustment of one balance leaves the others as they are'
);

select * from finish();
rollback;
