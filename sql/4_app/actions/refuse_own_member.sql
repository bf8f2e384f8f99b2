-- Refuses an administrator who acts on the member of their own account.
-- Callers: what administrators do to a member or to an order, before they change it. Raises: own_account.
create or replace function app.refuse_own_member(p_uid bigint)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select from app.users as u where u.uid = p_uid and u.auth_id = auth.uid()) then
    perform app.fail('own_account', 'An administrator cannot do this to their own member account or its orders; another administrator can.');
  end if;
end
$$;
