-- Security definer: client roles have no write privilege on addresses.
-- Locks: the address book.
-- Raises: unauthenticated, address_not_found (also for an address of another member).
-- Idempotent in effect: a second call raises address_not_found and changes nothing.
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
  'Deletes an address of the caller''s address book. If it was the default, the newest of the others becomes the default. Serves '
  'DELETE /api/address/{id}.';

grant execute on function api.delete_address(bigint) to authenticated, store_admin;
