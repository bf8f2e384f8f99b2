-- Guarantee rules/5-level-before: R5: points follow the level held before the rise
-- By: levels change after the grants, app.decide_levels
begin;
\ir ../../support/fixture.psql
select plan(4);

create temporary table m as select pg_temp.sign_up() as a;
create temporary table o as select n, pg_temp.report(pg_temp.sign_up((select a::text from m))) as id
  from generate_series(1, 4) as n;
select is(
  (select agent_level from app.users as u, m where u.uid = m.a), 1::smallint, 'three direct orders make grade 1'
);
select results_eq($$ select c.from_level::integer, c.to_level::integer, c.order_id from app.level_changes as c, m
  where c.uid = m.a $$,
  $$ select 0, 1, id from o where n = 3 $$, 'the change names both levels and the order');
select is(
  (select count(*) from app.user_bill as l, o where l.order_id = o.id and o.n = 3), 0::bigint,
  'the order that raised the member brings no direct points (R5)'
);
select is(
  (select sum(l.frozen_delta) from app.user_bill as l, o where l.order_id = o.id and o.n = 4), 500.0000,
  'the next order brings direct points'
);

select * from finish();
rollback;
