begin;
\ir ../../support/fixture.psql
select plan(5);

create temporary table m as select pg_temp.grade(pg_temp.sign_up(), 3) as top;
create temporary table n as select pg_temp.grade(pg_temp.reporter((select top from m)), 1) as referrer;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select referrer::text from n)), 2) as id;
select pg_temp.grade((select top from m), 4);
create temporary table e as select app.explain_order(id) as x from o;
select is(
  (x -> 'cycle' ->> 'base')::numeric * (x -> 'cycle' ->> 'ratio')::numeric, (x -> 'cycle' ->> 'commission')::numeric,
  'base x ratio is the commission'
)
from e;
select is(x -> 'levels' -> 0 ->> 'points', '1000', 'direct points x units') from e;
select is(x -> 'levels' -> 1 ->> 'points', '1000', 'umbrella points above what is passed on x units') from e;
select is(
  x -> 'levels' -> 1 ->> 'agent_level', '3',
  'the level is that at the time of the settlement, although it has changed since'
)
from e;
select throws_ok('select app.explain_order(0)', 'PT404', 'order_not_found', 'an unknown order is rejected');

select * from finish();
rollback;
