create or replace function app.next_level_json(p_user app.users, p_balances app.user_balances)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'agent_level', l.grade, 'agent_level_name', l.name,
    'tasks', coalesce((
      select jsonb_agg(jsonb_build_object(
        'type', t.type, 'target', t.target, 'current', c.current, 'missing', greatest(t.target - c.current, 0), 'met', c.current >= t.target
      ) order by t.type)
      from app.agent_level_tasks as t
      cross join lateral (select (to_jsonb(p_balances) ->> t.type)::integer as current) as c
      where t.grade = l.grade
    ), '[]')
  )
  from app.agent_levels as l
  where l.is_active and l.grade > p_user.agent_level
  order by l.grade
  limit 1
$$;

comment on function app.next_level_json is
  'Returns the next active grade above a member, with the target of each of its tasks, the current count and what is '
  'missing. Null at the top grade.';

grant execute on function app.next_level_json(app.users, app.user_balances) to store_admin;
