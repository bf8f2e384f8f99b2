create or replace function app.reconcile_stock(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    select 'stock_is_given_back', format('line %s of order %s', l.id, l.order_id), format('at most %s units', h.units), format('%s units', l.stock_taken)
    from app.order_lines as l
    join app.orders as o on o.id = l.order_id
    cross join lateral (select case o.state when 'cancelled' then 0 when 'paid' then l.quantity - l.refunded_quantity else l.quantity end as units) as h
    where l.order_id between p_from and p_to and l.stock_taken > h.units;
end
$$;

comment on function app.reconcile_stock is
  'Finds units of cancelled orders, and units that were refunded before shipment, that were not returned to the stock.';
