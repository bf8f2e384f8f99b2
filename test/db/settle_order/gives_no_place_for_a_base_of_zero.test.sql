begin;
\ir ../support/fixture.psql
select plan(4);

create temporary table m as select pg_temp.grade(pg_temp.reporter(), 1) as a;
create temporary table o as select (app.create_order(pg_temp.sign_up((select a::text from m)), (select jsonb_build_array(jsonb_build_object('product_id', gift, 'quantity', 1)) from goods), now())).id;
select app.pay_order(id, 'test', 'gift', now()) from o;
select app.settle_order(id, now()) from o;
select is((pg_temp.settlement(id)).reason, 'zero_base', 'the reason is recorded') from o;
select is((pg_temp.balances((select a from m))).total_places, 0, 'no place is taken');
select is((pg_temp.balances((select a from m))).frozen_points, 0.0000, 'no points either');
select is((pg_temp.balances((select a from m))).direct_orders, 1, 'it is a reported order all the same');

select * from finish();
rollback;
