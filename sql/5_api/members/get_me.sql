-- GET /api/user: the member who calls. Raises: unauthenticated.
-- Security definer: it takes no uid and reads only of the member whose account the verified token names; row-level security would
-- ask who calls once for each table (decision 0024). In plpgsql because its plan is kept: see get_upline.
create or replace function api.get_me()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member jsonb;
begin
  select jsonb_build_object(
    'uid', u.uid, 'nickname', u.nickname, 'spread_uid', u.spread_uid, 'agent_level', u.agent_level,
    'agent_level_name', l.name, 'no_assess', u.no_assess, 'add_time', app.utc(u.add_time)
  )
  into v_member
  from app.users as u join app.agent_levels as l on l.grade = u.agent_level
  where u.auth_id = auth.uid();
  if not found then
    perform app.require_uid();
  end if;
  return v_member;
end
$$;

grant execute on function api.get_me() to authenticated, store_admin;
