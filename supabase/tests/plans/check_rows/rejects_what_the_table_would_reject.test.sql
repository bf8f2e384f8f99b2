begin;
\ir ../../support/fixture.psql
select plan(25);

-- What happens to a row: its SQLSTATE and the constraint, or null.
create function pg_temp.outcome(p_sql text, p_arguments jsonb) returns text language plpgsql as $$
declare
  v_constraint text;
begin
  execute p_sql using p_arguments;
  return null;
exception when others then
  get stacked diagnostics v_constraint = constraint_name;
  return sqlstate || ' ' || case when sqlstate = '23514' then v_constraint else '' end;
end
$$;

create temporary table plans as
select to_jsonb(p) || c.change as plan, c.change from app.commission_plans as p
cross join (values (jsonb '{}'), ('{"people_per_cycle": 0}'), ('{"people_per_cycle": 2}'),
  ('{"people_per_cycle": null}'), ('{"tier_ratios": [0.2, null, 0.5]}'),
  ('{"tier_ratios": [0.2, 0.3, 1.01]}'), ('{"tier_ratios": [[0.2], [0.3], [0.5]]}'), ('{"tier_ratios": []}'),
  ('{"payout_cap": 1.5}'), ('{"payout_cap": 0.4}'),
  ('{"payout_cap": null}'), ('{"brokerage_scope": "everyone"}'), ('{"brokerage_timing": "later"}'),
  ('{"points_per_brokerage": 101}'), ('{"max_depth": 0}')) as c (change)
where p.version = app.active_plan_version();
select is(
  pg_temp.outcome('select app.check_rows(''app.commission_plans'', jsonb_build_array($1))', p.plan),
  pg_temp.outcome(
    'insert into app.commission_plans overriding user value select * from jsonb_populate_record(null::app.commission_plans, $1)',
    p.plan
  ),
  'plan with ' || p.change::text
) from plans as p;

-- Uses unused grades, to avoid conflicts of the key.
create temporary table levels as
select to_jsonb(l) || '{"grade": 50}' || c.change as level, c.change from app.agent_levels as l
cross join (
  values (jsonb '{}'), ('{"grade": 101}'), ('{"grade": null}'), ('{"name": ""}'), ('{"name_zh": null}'),
  ('{"direct_points": -1}'), ('{"umbrella_points": 1000001}')
) as c (change)
where l.grade = 4;
select is(
  pg_temp.outcome('select app.check_rows(''app.agent_levels'', jsonb_build_array($1))', l.level),
  pg_temp.outcome(
    'insert into app.agent_levels select * from jsonb_populate_record(null::app.agent_levels, $1)', l.level
  ),
  'level with ' || l.change::text
) from levels as l;

select throws_ok($$ select app.check_rows('app.agent_level_tasks',
  '[{"grade": 1, "type": "direct_orders", "target": 3}, {"grade": 1, "type": "sleep", "target": 8}]') $$,
  '23514', null, 'one bad row among good ones');
select lives_ok($$ select app.check_rows('app.agent_level_tasks', '[]') $$, 'an empty list is accepted');

-- As in a table: the constraint that comes first by name is broken by another row.
select throws_ok($$ select app.check_rows('app.agent_level_tasks',
  '[{"grade": 1, "type": "a", "target": 0}, {"grade": 1, "type": null, "target": 8}]') $$,
  '23502', null, 'a missing value is reported before a broken rule');

select * from finish();
rollback;
