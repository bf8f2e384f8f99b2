-- Security definer: client roles may not execute app.price_items and app.use_points.
-- Raises: unauthenticated, invalid_argument, product_unavailable, out_of_stock.
-- Writes nothing and takes no lock.
create or replace function api.preview_order(p_items jsonb, p_use_points numeric default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_lines app.order_lines[];
  v_order app.orders;
  v_offer jsonb;
begin
  perform app.reject_discounts(p_items);
  v_lines := app.price_items(p_items);
  v_offer := app.points_offer_json(v_uid, v_lines);
  v_lines := app.use_points(v_uid, v_lines, p_use_points, false);
  v_order := app.order_of_lines(v_lines);
  return jsonb_build_object(
    'total_price', v_order.total_price::text, 'freight', v_order.freight::text, 'paid_by_points', v_order.paid_by_points::text,
    'points_spent', trim_scale(v_order.points_spent), 'pay_price', v_order.pay_price::text, 'points', v_offer,
    'lines', (
      select jsonb_agg(jsonb_build_object(
        'product_id', l.product_id, 'title', l.title, 'price', l.price::text, 'quantity', l.quantity,
        'paid_by_points', l.paid_by_points::text, 'points', trim_scale(l.points), 'paid', l.paid::text, 'is_queue_goods', l.is_queue_goods
      ) order by l.ordinality)
      from unnest(v_lines) with ordinality as l
    )
  );
end
$$;

comment on function api.preview_order is
  'Returns what an order of these items would cost with p_use_points, without placing it, and how many points could be used and what '
  'they would pay. pay_price is what p_expected_price of create_order takes. Serves POST /api/order/preview.';

grant execute on function api.preview_order(jsonb, numeric) to authenticated, store_admin;
