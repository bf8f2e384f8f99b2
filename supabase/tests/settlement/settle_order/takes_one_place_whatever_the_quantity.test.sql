begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m)), 4) as id;
select is((pg_temp.settlement(id)).commission, 2880.00, '4 x 3600.00 x 0.2') from o;
select is((pg_temp.balances((select a from m))).total_places, 1, 'the order takes one place');
select is((pg_temp.balances((select a from m))).direct_orders, 1, 'one order counted');

select * from finish();
rollback;
