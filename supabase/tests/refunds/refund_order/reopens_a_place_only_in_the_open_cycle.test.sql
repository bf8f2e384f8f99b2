begin;
\ir ../../support/fixture.psql
select plan(5);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select n, pg_temp.report(pg_temp.sign_up((select a::text from m)), 2) as id
  from generate_series(1, 4) as n;
select app.refund_order(o.id, jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)), null, now()) from o
join app.order_lines as l on l.order_id = o.id where n = 4;
select is((pg_temp.settlement(id)).place_freed_at, null, 'a partly refunded order keeps its place') from o where n = 4;
select app.refund_order(id, null, null, now()) from o where n = 2;
select is((pg_temp.settlement(id)).place_freed_at, null, 'a place of an earlier cycle stays closed') from o where n = 2;
select is(
  (pg_temp.balances((select a from m))).total_places, 4,
  'a place of an earlier cycle still counts in the total of places'
);
create temporary table rest as select pg_temp.report(pg_temp.sign_up((select a::text from m))) as id
  from generate_series(1, 2);
select app.refund_order(id, null, null, now()) from rest;
select is(
  (select count(*) from rest where (pg_temp.settlement(id)).place_freed_at is not null), 0::bigint,
  'a place of a cycle whose last place is taken stays closed'
);
select is(
  (pg_temp.settlement(pg_temp.report(pg_temp.sign_up((select a::text from m))))).cycle_no, 3,
  'the next order opens the next cycle'
);

select * from finish();
rollback;
