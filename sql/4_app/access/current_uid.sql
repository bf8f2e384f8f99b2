-- The uid of the member who calls, or null. Used in policies as (select app.current_uid()): once per statement.
-- Security definer, because client roles may read only their own row of users, which is what this finds.
-- In plpgsql because its plan is kept: see get_upline.
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

grant execute on function app.current_uid() to authenticated, store_admin;
