-- Raises: own_account.
create or replace function app.reject_own_member(p_uid bigint)
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

comment on function app.reject_own_member is
  'Raises own_account if the member belongs to the account of the calling administrator.';
