-- The phone is never included.
create or replace function app.people_json(p_uids bigint[])
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'uid', u.uid, 'nickname', u.nickname, 'avatar', u.avatar, 'agent_level', u.agent_level, 'agent_level_name', l.name,
      'joined', app.utc(u.add_time), 'orders', coalesce(t.own_orders, 0), 'members', coalesce(t.umbrella_members, 0)
    ) order by m.number), '[]')
    from unnest(p_uids) with ordinality as m (uid, number)
    join app.users as u on u.uid = m.uid
    join app.agent_levels as l on l.grade = u.agent_level
    left join app.team_totals as t on t.uid = m.uid
  );
end
$$;

comment on function app.people_json is
  'Returns members of a team, in the given sequence, with their level, their reported orders and the number of members below '
  'them.';
