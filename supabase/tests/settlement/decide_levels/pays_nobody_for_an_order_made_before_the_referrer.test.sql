begin;
\ir ../../support/fixture.psql
select plan(1);

create temporary table m as select pg_temp.grade(pg_temp.reporter(), 1) as a, pg_temp.sign_up() as b;
create temporary table o as select pg_temp.buy((select b from m)) as id;
select app.bind_spread(b, a, now()) from m;
select app.settle_order(id, now()) from o;
select is(
  (pg_temp.balances((select a from m))).frozen_points, 0.0000, 'the referrer of the order is the one when it was made'
);

select * from finish();
rollback;
