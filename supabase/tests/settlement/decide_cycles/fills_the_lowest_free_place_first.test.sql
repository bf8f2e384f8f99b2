begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select n, pg_temp.report(pg_temp.sign_up((select a::text from m))) as id
  from generate_series(1, 2) as n;
select app.refund_order(id, null, null, now()) from o where n = 1;
select isnt((pg_temp.settlement(id)).place_freed_at, null, 'a full refund frees the place of an open cycle') from o
where n = 1;
select is(
  (pg_temp.settlement(pg_temp.report(pg_temp.sign_up((select a::text from m))))).place, 1::smallint,
  'the next order takes the freed place'
);
select is(
  (pg_temp.settlement(pg_temp.report(pg_temp.sign_up((select a::text from m))))).place, 3::smallint,
  'the order after it takes the place after the last'
);

select * from finish();
rollback;
