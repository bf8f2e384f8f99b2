-- Raises: invalid_argument.
create or replace function app.reject_discounts(p_items jsonb)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if jsonb_path_exists(p_items, '$[*].discount') then
    perform app.fail('invalid_argument', 'An item has a product_id and a quantity, nothing else.');
  end if;
end
$$;

comment on function app.reject_discounts is 'Raises invalid_argument for items of a client that name a discount.';
