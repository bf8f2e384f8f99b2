begin;
\ir ../../support/fixture.psql
select plan(1);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m))) as one,
  pg_temp.buy(pg_temp.sign_up((select a::text from m))) as two;
select throws_ok($$ insert into app.settlements
  select (jsonb_populate_record(s, jsonb_build_object('order_id', o.two))).*
  from o, lateral pg_temp.settlement(o.one) as s $$,
  '23505', null, 'a partial unique index makes it impossible');

select * from finish();
rollback;
