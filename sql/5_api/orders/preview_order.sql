-- Security definer: client roles may not execute app.price_items.
-- Raises: unauthenticated, invalid_argument, product_unavailable, out_of_stock.
-- Writes nothing and takes no lock.
create or replace function api.preview_order(p_items jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_lines app.order_lines[];
  v_order app.orders;
begin
  perform app.require_uid();
  perform app.refuse_discounts(p_items);
  v_lines := app.price_items(p_items);
  v_order := app.order_of_lines(v_lines);
  return jsonb_build_object(
    'total_price', v_order.total_price::text, 'freight', v_order.freight::text, 'pay_price', v_order.pay_price::text,
    'lines', (
      select jsonb_agg(jsonb_build_object(
        'product_id', l.product_id, 'title', l.title, 'price', l.price::text, 'quantity', l.quantity, 'paid', l.paid::text,
        'is_queue_goods', l.is_queue_goods
      ) order by l.ordinality)
      from unnest(v_lines) with ordinality as l
    )
  );
end
$$;

comment on function api.preview_order is
  'Returns what an order of these items would cost, without placing it. pay_price is what p_expected_price of create_order takes. '
  'Serves POST /api/order/preview.';

grant execute on function api.preview_order(jsonb) to authenticated, store_admin;
