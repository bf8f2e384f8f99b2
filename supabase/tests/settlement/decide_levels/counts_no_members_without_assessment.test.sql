-- Guarantee rules/9-assessment: R9: members without assessment count for nobody
-- By: app.decide_levels
begin;
\ir ../../support/fixture.psql
select plan(6);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table n as select pg_temp.sign_up((select a::text from m)) as flagged;
select app.set_no_assess((select flagged from n), true, null, now());
select pg_temp.report((select flagged from n));
select is((pg_temp.balances((select a from m))).direct_orders, 0, 'orders of a flagged member do not count (R9)');
select pg_temp.report(pg_temp.sign_up((select flagged::text from n)));
select is((pg_temp.balances((select a from m))).umbrella_orders, 1, 'orders of members below them count');
select is((pg_temp.balances((select flagged from n))).direct_orders, 1, 'the flagged member has counts');
select is((pg_temp.balances((select flagged from n))).brokerage_price, 720.00, 'the flagged member earns commission');
select app.set_no_assess((select flagged from n), false, null, now());
select is((pg_temp.balances((select a from m))).direct_orders, 1, 'removing the flag counts the orders again');
select is(
  (select count(*) from app.no_assess_changes as c, n where c.uid = n.flagged), 2::bigint, 'both changes are recorded'
);

select * from finish();
rollback;
