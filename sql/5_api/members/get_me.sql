-- Security definer: the function has no parameter and reads only the member of the verified token. With row-level security,
-- every table would look up the caller again (decision 0024).
-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
-- Raises: unauthenticated.
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
    'uid', u.uid, 'nickname', u.nickname, 'avatar', u.avatar, 'spread_uid', u.spread_uid, 'agent_level', u.agent_level,
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

comment on function api.get_me is 'Returns the member who calls. Serves GET /api/user.';

grant execute on function api.get_me() to authenticated, store_admin;
