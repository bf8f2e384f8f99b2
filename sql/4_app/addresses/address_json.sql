create or replace function app.address_json(p_address app.addresses)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select p_address.address || jsonb_build_object(
    'id', p_address.id, 'is_default', p_address.is_default, 'add_time', app.utc(p_address.add_time), 'updated_at', app.utc(p_address.updated_at)
  )
$$;

comment on function app.address_json is 'Returns an address of an address book in the format of the API.';
