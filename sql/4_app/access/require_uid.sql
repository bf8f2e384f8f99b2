-- The uid of the member who calls; an error where the account has no member row.
-- Callers: functions of schema api for members. Raises: unauthenticated.
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

grant execute on function app.require_uid() to authenticated, store_admin;
