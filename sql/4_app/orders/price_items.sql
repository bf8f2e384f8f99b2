-- Locks: with p_locks, the products with a limited stock, by id, so that what is read stays true until the stock is taken.
-- Raises: invalid_argument, product_unavailable, out_of_stock.
create or replace function app.price_items(p_items jsonb, p_locks boolean default false)
returns app.order_lines[]
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_item jsonb;
  v_product app.products;
  v_line app.order_lines;
  v_lines app.order_lines[] := array[]::app.order_lines[];
  v_limited bigint[] := array[]::bigint[];
begin
  if p_items is null or jsonb_typeof(p_items) <> 'array' or jsonb_array_length(p_items) not between 1 and 50 then
    perform app.fail('invalid_argument', 'An order has between 1 and 50 items.');
  end if;
  for v_item in select i.value from jsonb_array_elements(p_items) as i loop
    if jsonb_typeof(v_item) <> 'object'
      or coalesce(v_item ->> 'product_id', '') !~ '^[0-9]{1,18}$' or coalesce(v_item ->> 'quantity', '') !~ '^[1-9][0-9]{0,3}$'
      or coalesce(v_item ->> 'discount', '0') !~ '^[0-9]{1,9}([.][0-9]{1,2})?$' then
      perform app.fail('invalid_argument', 'Every item needs a product_id and a quantity between 1 and 9999.');
    end if;
    select p.* into v_product from app.products as p
    where p.id = (v_item ->> 'product_id')::bigint and p.is_show and not p.is_del;
    if not found then
      perform app.fail('product_unavailable', format('Product %s is not on sale.', v_item ->> 'product_id'));
    end if;
    v_line.product_id := v_product.id;
    v_line.title := v_product.title;
    v_line.price := v_product.price;
    v_line.quantity := (v_item ->> 'quantity')::integer;
    v_line.discount := coalesce((v_item ->> 'discount')::numeric, 0);
    v_line.paid_by_points := 0;
    v_line.points := 0;
    v_line.paid := v_line.price * v_line.quantity - v_line.discount;
    v_line.is_queue_goods := v_product.is_queue_goods;
    if v_line.paid < 0 then
      perform app.fail('invalid_argument', 'A discount is larger than the price.');
    end if;
    v_line.stock_taken := case when v_product.stock is null then 0 else v_line.quantity end;
    v_lines := v_lines || v_line;
    if v_product.stock is not null then
      v_limited := v_limited || v_product.id;
      -- Two items may be of the same product.
      if (select sum(l.stock_taken) from unnest(v_lines) as l where l.product_id = v_product.id) > v_product.stock then
        perform app.fail('out_of_stock', format('Product %s has only %s units left.', v_product.id, v_product.stock));
      end if;
    end if;
  end loop;
  if p_locks and v_limited <> '{}' then
    perform from app.products as p where p.id = any (v_limited) order by p.id for no key update;
    -- Price and stock may have changed before the products were locked.
    return app.price_items(p_items);
  end if;
  return v_lines;
end
$$;

comment on function app.price_items is
  'Returns the items of a new order as priced lines, in the same sequence, and rejects more than is in stock.';
