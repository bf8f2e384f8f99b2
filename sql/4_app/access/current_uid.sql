-- Policies call it as (select app.current_uid()), so that it runs once per statement.
-- Security definer: policies on app.users call it, so it must read app.users without them.
-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.current_uid()
returns bigint
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return (select u.uid from app.users as u where u.auth_id = auth.uid());
end
$$;

comment on function app.current_uid is 'Returns the uid of the calling member, or null if the caller is not a member.';

grant execute on function app.current_uid() to authenticated, store_admin;
