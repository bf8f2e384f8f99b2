begin;
\ir ../support/fixture.psql
select plan(4);

-- The list of task types is the constraint of agent_level_tasks. The engine has a column or a field for each.
create temporary table types as
select t.type[1] as type from pg_constraint as c
cross join regexp_matches(pg_get_constraintdef(c.oid), '''(\w+)''', 'g') as t (type)
where c.conrelid = 'app.agent_level_tasks'::regclass and c.conname = 'type_is_known';

create function pg_temp.fields_for_types(p_relation regclass) returns setof text language sql as $$
  select a.attname::text from pg_attribute as a
  where a.attrelid = p_relation and a.attnum > 0 and a.attname ~ '^(direct|umbrella)_(?!points)'
$$;

select set_eq(
  'select pg_temp.fields_for_types(''app.user_balances'')', 'select type from types',
  'a member has a counter for each task type'
);
select set_eq(
  'select pg_temp.fields_for_types(''app.tree_member'')', 'select type from types',
  'a member in the engine has a counter for each task type'
);
select set_eq(
  'select pg_temp.fields_for_types(''app.level_rule'')', 'select type from types',
  'a rule has a target for each task type'
);
select results_eq($$
  select r.type, (to_jsonb((app.level_rules(l.levels))[1]) ->> r.type)::integer
  from types as r
  cross join (select jsonb_build_array(
    '{"grade": 0, "direct_points": 0, "umbrella_points": 0}'::jsonb,
    jsonb_build_object(
      'grade', 1, 'direct_points', 0, 'umbrella_points', 0, 'tasks', jsonb_object_agg(t.type, length(t.type))
    )
  ) as levels from types as t) as l
  order by r.type
$$, 'select type, length(type) from types order by type', 'the targets come from the level settings');

select * from finish();
rollback;
