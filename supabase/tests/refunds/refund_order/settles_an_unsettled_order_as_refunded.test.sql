begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select pg_temp.buy(pg_temp.sign_up((select a::text from m))) as id;
select app.refund_order(id, null, null, now()) from o;
select is((pg_temp.settlement(id)).state, 'refunded', 'the order is settled as refunded') from o;
select is((pg_temp.balances((select a from m))).total_places, 0, 'no place is taken');
select is(
  (select count(*) from app.settlement_jobs as j, o where j.order_id = o.id), 0::bigint, 'no settlement job is left'
);

select * from finish();
rollback;
