-- Security definer: client roles have no write privilege on orders.
-- Locks: the order.
-- Raises: forbidden, own_account, order_not_found, order_state_conflict, invalid_argument.
-- Idempotent: of a shipped order, only the carrier and the tracking number can change.
create or replace function api.deliver_order(p_order_id bigint, p_carrier text default null, p_tracking_no text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.orders;
  v_order app.orders;
begin
  perform app.require_admin('orders');
  perform app.reject_own_order(p_order_id);
  v_before := app.lock_order(p_order_id);
  -- A separate statement, so that order_json reads the changed order.
  v_order := app.deliver_order(p_order_id, null, p_carrier, p_tracking_no);
  perform app.record_action(
    'deliver_order', 'order', p_order_id::text,
    jsonb_build_object('state', v_before.state, 'carrier', v_before.carrier, 'tracking_no', v_before.tracking_no),
    jsonb_build_object('state', v_order.state, 'carrier', v_order.carrier, 'tracking_no', v_order.tracking_no),
    '{state}'
  );
  return app.order_json(v_order);
end
$$;

comment on function api.deliver_order is
  'Marks a paid order as shipped (state delivered), with carrier and tracking number where they are given, and returns it. '
  'Serves PUT /adminapi/order/{id}/deliver.';

grant execute on function api.deliver_order(bigint, text, text) to store_admin;
