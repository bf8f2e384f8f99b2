-- The uid of the member who calls, or null. Used in policies as (select app.current_uid()): once per statement.
-- Security definer, because client roles may read only their own row of users, which is what this finds.
create or replace function app.current_uid()
returns bigint
language sql
stable
security definer
set search_path = ''
as $$
  select u.uid from app.users as u where u.auth_id = auth.uid()
$$;

grant execute on function app.current_uid() to authenticated, store_admin;
