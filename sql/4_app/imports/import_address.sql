-- Has no set clause and does not check the address itself, so that the planner can inline it: a function that calls app.is_address would
-- have it planned again for each order.
create or replace function app.import_address(p_order app.staged_orders)
returns jsonb
language sql
immutable
parallel safe
as $$
  select case when p_order.street is not null then pg_catalog.jsonb_build_object(
    'name', pg_catalog.btrim(p_order.receiver_name), 'phone', pg_catalog.btrim(p_order.receiver_phone),
    'region', pg_catalog.to_jsonb(pg_catalog.regexp_split_to_array(pg_catalog.btrim(p_order.region), '[ /]+')), 'street', pg_catalog.btrim(p_order.street)
  ) end
$$;

comment on function app.import_address is
  'Returns the postal address of a staged order as app.is_address expects it. If the order has no complete address, the result is null or no '
  'address.';
