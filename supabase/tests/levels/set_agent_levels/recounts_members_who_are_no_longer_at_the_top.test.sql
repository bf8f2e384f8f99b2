begin;
\ir ../../support/fixture.psql
select plan(4);

create temporary table m as select pg_temp.grade(pg_temp.sign_up(), 4) as top;
select pg_temp.reporter((select top from m));
create temporary table v as select count(*) as versions from app.level_versions;
create temporary table wider as select app.levels_json()
  || jsonb_build_array(jsonb_build_object('grade', l.grade + 1, 'name', 'Partner', 'name_zh', '合伙人',
  'direct_points', l.direct_points, 'umbrella_points', l.umbrella_points, 'tasks',
  '{"umbrella_orders": 5000}'::jsonb)) as levels
from app.agent_levels as l order by l.grade desc limit 1;
select app.set_agent_levels((select levels from wider), null, now());
select is(
  (pg_temp.balances((select top from m))).direct_orders, 1, 'orders that were not counted at the top are counted now'
);
select is((select count(*) from app.level_versions), (select versions + 1 from v), 'a new version is stored');
select app.set_agent_levels(app.levels_json(), null, now());
select is((select count(*) from app.level_versions), (select versions + 1 from v), 'the same settings add no version');
select throws_ok($$ select app.set_agent_levels((select jsonb_agg(l) from jsonb_array_elements(app.levels_json()) as l
  where (l ->> 'grade')::integer < 4), null, now()) $$,
  'PT422', 'levels_invalid', 'a grade held by members cannot be removed');

select * from finish();
rollback;
