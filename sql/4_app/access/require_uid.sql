-- Raises: unauthenticated, if the account has no member row.
create or replace function app.require_uid()
returns bigint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.current_uid();
begin
  if v_uid is null then
    perform app.fail('unauthenticated', 'This account is not a member of the store.');
  end if;
  return v_uid;
end
$$;

comment on function app.require_uid is 'Returns the uid of the calling member.';

grant execute on function app.require_uid() to authenticated, store_admin;
