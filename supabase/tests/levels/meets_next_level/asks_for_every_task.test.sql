begin;
\ir ../../support/fixture.psql
select plan(18);

-- A member who just meets every task of the next grade.
create temporary table counts as select name
  from unnest('{direct_orders, umbrella_orders, direct_members, umbrella_members}'::text[]) as name;
create temporary table m as
select jsonb_object_agg(name, 10) || '{"is_held": false}' as member,
  jsonb_object_agg(name, 10) || '{"next_grade": 2}' as rule
from counts;
create function pg_temp.meets(p_member jsonb, p_rule jsonb) returns boolean language sql as $$
  select app.meets_next_level(
    jsonb_populate_record(null::app.tree_member, m.member || p_member),
    jsonb_populate_record(null::app.level_rule, m.rule || p_rule)
  )
  from m
$$;

select is(
  pg_temp.meets(jsonb_build_object(name, v.count), '{}'), v.meets,
  format('10 %s are asked for, there are %s', name, v.count)
)
from counts cross join (values (9, false), (10, true), (11, true)) as v (count, meets);
select ok(
  pg_temp.meets(jsonb_build_object(name, 0), jsonb_build_object(name, null)),
  format('without such a task, %s do not matter', name)
)
from counts;
select ok(not pg_temp.meets('{"is_held": true}', '{}'), 'a held level does not rise');
select ok(not pg_temp.meets('{}', '{"next_grade": null}'), 'nor one without a next grade');

select * from finish();
rollback;
