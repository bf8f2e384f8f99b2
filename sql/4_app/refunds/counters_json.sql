create or replace function app.counters_json(p_member app.tree_member)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'direct_orders', p_member.direct_orders, 'umbrella_orders', p_member.umbrella_orders,
    'direct_members', p_member.direct_members, 'umbrella_members', p_member.umbrella_members
  )
$$;

comment on function app.counters_json is 'Returns the task counts of a member as the API shows them.';
