begin;
\ir ../../support/fixture.psql
select plan(4);

-- The largest possible order: fifty lines of 9,999 units at the highest price.
update app.products set price = 1000000 where id = (select flagship from goods);
select app.create_plan('{"people_per_cycle": 1, "tier_ratios": [1], "points_per_brokerage": 100}', null, now());
update app.agent_levels set direct_points = 1000000, umbrella_points = 1000000 where grade = 1;
create temporary table m as select pg_temp.grade(pg_temp.reporter(), 1) as a;
create temporary table o as
select (app.create_order(pg_temp.sign_up(a::text), (
  select jsonb_agg(jsonb_build_object('product_id', flagship, 'quantity', 9999)) from goods
  cross join generate_series(1, 50)
), now())).id from m;
select app.pay_order(id, 'test', 'largest', now()) from o;
select is((app.settle_order(id, now())).base, 499950000000.00, 'the base is five hundred billion') from o;
select ok((pg_temp.balances(a)).frozen_points > 4.9e13, 'all points are granted') from m;
select throws_like(
  $$ update app.agent_levels set direct_points = 1000001
  where grade = 4 $$, '%direct_points_are_between_0_and_a_million%', 'more points for a level are rejected'
);
select throws_like(
  $$ select app.create_plan('{"points_per_brokerage": 100.1}', null, now()) $$, 'plan_invalid',
  'more points for a commission are rejected'
);

select * from finish();
rollback;
