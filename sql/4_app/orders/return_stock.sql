-- Precondition: the caller has locked the order, but no balances.
-- Locks: the products with a limited stock, by id.
create or replace function app.return_stock(p_order_id bigint, p_items app.refund_item[])
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from app.products as p
  where p.stock is not null and p.id in (select l.product_id from app.order_lines as l where l.order_id = p_order_id and l.stock_taken > 0)
  order by p.id for no key update;
  with returned as (
    update app.order_lines as l set stock_taken = l.stock_taken - i.quantity
    from unnest(p_items) as i
    where l.id = i.line_id and l.order_id = p_order_id and l.stock_taken > 0
    returning l.product_id, i.quantity
  )
  update app.products as p set stock = p.stock + r.units
  from (select r.product_id, sum(r.quantity) as units from returned as r group by r.product_id) as r
  -- The limit may have been lifted since.
  where p.id = r.product_id and p.stock is not null;
end
$$;

comment on function app.return_stock is 'Adds units of an order that was not shipped back to the stock of their products.';
