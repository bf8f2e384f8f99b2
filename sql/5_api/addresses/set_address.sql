-- Security definer: client roles have no write privilege on addresses.
-- Locks: the address book.
-- Raises: unauthenticated, address_not_found (also for an address of another member), invalid_argument.
-- Idempotent: a repeated call leaves the same values.
create or replace function api.set_address(p_id bigint, p_address jsonb, p_is_default boolean default false)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.lock_addresses();
  v_address app.addresses;
begin
  perform app.require_address(p_address);
  update app.addresses as a set address = p_address, updated_at = clock_timestamp() where a.id = p_id and a.uid = v_uid returning a.* into v_address;
  if not found then
    perform app.fail('address_not_found');
  end if;
  if p_is_default then
    perform app.set_default_address(v_uid, p_id);
    v_address.is_default := true;
  end if;
  return app.address_json(v_address);
end
$$;

comment on function api.set_address is
  'Replaces an address of the caller''s address book and returns it. p_is_default makes it the default. The default changes only '
  'when another address becomes it. Earlier orders keep the address that they copied. Serves PUT /api/address/{id}.';

grant execute on function api.set_address(bigint, jsonb, boolean) to authenticated, store_admin;
