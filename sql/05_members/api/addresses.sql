-- What clients may call about addresses.

-- Locks: the address book.
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
  'Adds an address (app.is_address) to the caller''s address book and returns it. The first one becomes the default. '
  'Serves POST /api/address.';

grant execute on function api.create_address(jsonb, boolean) to authenticated, store_admin;

-- Locks: the address book.
-- Idempotent: an address is deleted once. A second call raises address_not_found.
create or replace function api.delete_address(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.lock_addresses();
  v_was_default boolean;
begin
  delete from app.addresses as a where a.id = p_id and a.uid = v_uid returning a.is_default into v_was_default;
  if not found then
    perform app.fail('address_not_found');
  end if;
  if v_was_default then
    perform app.set_default_address(v_uid, (select max(a.id) from app.addresses as a where a.uid = v_uid));
  end if;
  return jsonb_build_object('id', p_id);
end
$$;

comment on function api.delete_address is
  'Deletes an address of the caller''s address book. The newest of the others replaces the default. Serves DELETE '
  '/api/address/{id}.';

grant execute on function api.delete_address(bigint) to authenticated, store_admin;

-- Security definer: the function has no parameter and reads only the member of the verified token. No client role may
-- read the table: administrators see addresses on orders only.
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
    select coalesce(jsonb_agg(app.address_json(a) order by a.is_default desc, a.id desc), '[]') from app.addresses as a
    where a.uid = v_uid
  );
end
$$;

comment on function api.get_addresses is
  'Returns the address book of the caller: the default address, then the newest first. Serves GET /api/address.';

grant execute on function api.get_addresses() to authenticated, store_admin;

-- Locks: the address book.
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
  update app.addresses as a set address = p_address, updated_at = clock_timestamp() where a.id = p_id and a.uid = v_uid
  returning a.* into v_address;
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
  'Replaces an address of the caller''s address book and returns it. Only another default replaces the default. Serves '
  'PUT /api/address/{id}.';

grant execute on function api.set_address(bigint, jsonb, boolean) to authenticated, store_admin;
