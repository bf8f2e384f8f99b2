begin;
\ir ../../support/fixture.psql
select plan(3);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m))) as id;
select lives_ok('select app.settle_order(id, now()) from o', 'a second settlement returns the first');
select is((pg_temp.balances((select a from m))).brokerage_price, 720.00, 'a second settlement pays nothing');
select throws_ok(
  'insert into app.settlements select (s).* from (select pg_temp.settlement(id) as s from o) as x', '23505', null,
  'the primary key rejects a second row'
);

select * from finish();
rollback;
