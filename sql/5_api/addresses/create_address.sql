-- Security definer: client roles have no write privilege on addresses.
-- Locks: the address book.
-- Raises: unauthenticated, too_many_addresses, invalid_argument.
-- Not idempotent: each call adds an address.
create or replace function api.create_address(p_address jsonb, p_is_default boolean default false)
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
  if (select count(*) from app.addresses as a where a.uid = v_uid) >= 50 then
    perform app.fail('too_many_addresses', 'A member has at most 50 addresses; delete one first.');
  end if;
  insert into app.addresses (uid, address) values (v_uid, p_address) returning * into v_address;
  if p_is_default or not exists (select from app.addresses as a where a.uid = v_uid and a.is_default) then
    perform app.set_default_address(v_uid, v_address.id);
    v_address.is_default := true;
  end if;
  return app.address_json(v_address);
end
$$;

comment on function api.create_address is
  'Adds an address to the caller''s address book and returns it. The first one becomes the default. p_address: {"name", "phone", '
  '"region": ["Guangdong", "Shenzhen"], "street"}. Serves POST /api/address.';

grant execute on function api.create_address(jsonb, boolean) to authenticated, store_admin;
