-- Raises: address_not_found (also for an address of another member).
create or replace function app.own_address(p_uid bigint, p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_address jsonb;
begin
  select a.address into v_address from app.addresses as a where a.id = p_id and a.uid = p_uid;
  if not found then
    perform app.fail('address_not_found');
  end if;
  return v_address;
end
$$;

comment on function app.own_address is 'Returns an address of a member''s address book, for an order to copy.';
