begin;
\ir ../../support/fixture.psql
select plan(6);

create function pg_temp.changed(p_grade integer, p_change jsonb) returns jsonb language sql as $$
  select jsonb_agg(case when l ->> 'grade' = p_grade::text then l || p_change else l end)
  from jsonb_array_elements(app.levels_json()) as l
$$;
select throws_ok(
  $$ select app.set_agent_levels(pg_temp.changed(2, '{"umbrella_points": 600}'), null, now()) $$, 'PT422',
  'levels_invalid', 'points that fall with the grade'
);
select throws_ok(
  $$ select app.set_agent_levels(pg_temp.changed(2, '{"tasks": {}}'), null, now()) $$, 'PT422', 'levels_invalid',
  'a grade without tasks'
);
select throws_ok(
  $$ select app.set_agent_levels(pg_temp.changed(3, '{"tasks": {"umbrella_orders": 20}}'), null, now()) $$, 'PT422',
  'levels_invalid', 'targets that fall with the grade'
);
select throws_ok(
  $$ select app.set_agent_levels(pg_temp.changed(3, '{"grade": 7}'), null, now()) $$, 'PT422', 'levels_invalid',
  'a gap in the grades'
);
select throws_ok(
  $$ select app.set_agent_levels('[]', null, now()) $$, 'PT422', 'levels_invalid', 'an empty list is rejected'
);
select lives_ok(
  $$ select app.set_agent_levels(pg_temp.changed(2, '{"direct_points": 900}'), null, now()) $$,
  'a valid change is accepted'
);

select * from finish();
rollback;
