begin;
\ir ../../support/fixture.psql
select plan(6);

create temporary table m as select pg_temp.reporter() as top;
create temporary table n as select pg_temp.reporter((select top from m), 2) as middle,
  pg_temp.sign_up((select top::text from m)) as other;
create temporary table o as select pg_temp.reporter((select middle from n)) as low;
select pg_temp.buy((select low from o)),
  app.create_order(
    (select low from o),
    (select jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', 1)) from goods as g), now()
  );
select is(pg_temp.team((select top from m)), 'none', 'nothing is summed in the transactions of sign-ups and orders');
select pg_temp.sum_teams();
select is(
  pg_temp.team((select top from m)), '2 1 3 3',
  'the top: two direct members, one with an order, and below them a member with two'
);
select is(
  pg_temp.team((select middle from n)), '1 2 1 2',
  'the middle: a paid order counts before its settlement, an unpaid one does not'
);
select is(
  (select t.own_orders from app.team_totals as t, o where t.uid = o.low), 2,
  'the member at the bottom has two orders of their own'
);
select is(pg_temp.team((select other from n)), '0 0 0 0', 'a member with nobody below');
select is_empty('select * from app.reconcile_team_totals()', 'the totals are the sums of the leaves');

select * from finish();
rollback;
