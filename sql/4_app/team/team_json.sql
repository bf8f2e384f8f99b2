create or replace function app.team_json(p_uid bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'direct', jsonb_build_object('members', coalesce(t.direct_members, 0), 'orders', coalesce(t.direct_orders, 0)),
    'umbrella', jsonb_build_object('members', coalesce(t.umbrella_members, 0), 'orders', coalesce(t.umbrella_orders, 0)),
    'as_of', app.utc(a.as_of)
  )
  from app.team_totals_as_of as a left join app.team_totals as t on t.uid = p_uid
$$;

comment on function app.team_json is
  'Returns the members and reported orders below a member, directly and at any depth, as of the last time that the queue of '
  'changes was empty.';

grant execute on function app.team_json(bigint) to store_admin;
