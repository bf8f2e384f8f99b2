-- Security definer: the function has no parameter and reads only the member of the verified token. No client role may read the
-- table: administrators see addresses on orders only.
-- Raises: unauthenticated.
create or replace function api.get_addresses()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  return (
    select coalesce(jsonb_agg(app.address_json(a) order by a.is_default desc, a.id desc), '[]') from app.addresses as a where a.uid = v_uid
  );
end
$$;

comment on function api.get_addresses is 'Returns the address book of the caller: the default address, then the newest first. Serves GET /api/address.';

grant execute on function api.get_addresses() to authenticated, store_admin;
