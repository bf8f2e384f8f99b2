create or replace function app.refund_amount(p_order_id bigint, p_items app.refund_item[])
returns numeric
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select sum(
    app.amount_left(l.paid, l.quantity, l.refunded_quantity) - app.amount_left(l.paid, l.quantity, l.refunded_quantity + i.quantity)
  )
  from unnest(p_items) as i
  join app.order_lines as l on l.id = i.line_id and l.order_id = p_order_id
$$;

comment on function app.refund_amount is 'Returns what these units of an order cost, without freight and without what points paid. Money, 2 decimals.';
