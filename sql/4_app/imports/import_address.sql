create or replace function app.import_address(p_order app.staged_orders)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select case when app.is_address(a.address) then a.address end
  from (
    select jsonb_build_object(
      'name', btrim(p_order.receiver_name), 'phone', btrim(p_order.receiver_phone),
      'region', to_jsonb(regexp_split_to_array(btrim(p_order.region), '[ /]+')), 'street', btrim(p_order.street)
    ) as address
  ) as a
$$;

comment on function app.import_address is 'Returns the postal address of a staged order, or null if it is not complete.';
