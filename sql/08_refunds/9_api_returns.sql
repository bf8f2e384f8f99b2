-- What clients may call about returns.

-- Locks: the order.
-- Idempotent: see app.request_return.
create or replace function api.request_return(p_order_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.refunds;
  v_after app.refunds;
begin
  perform app.require_admin('refunds');
  perform app.reject_own_order(p_order_id);
  perform app.lock_order(p_order_id);
  v_before := app.require_open_request(p_order_id);
  v_after := app.request_return(p_order_id, null);
  perform app.record_action('request_return', 'order', p_order_id::text, app.return_record(v_before), app.return_record(v_after));
  return app.refund_json(v_after);
end
$$;

comment on function api.request_return is
  'Asks the buyer of a shipped order for the goods of the open refund request and returns the request. Serves PUT /adminapi/order/{id}/refund/return.';

grant execute on function api.request_return(bigint) to store_admin;

-- Locks: the order.
-- Idempotent: see app.receive_return.
create or replace function api.receive_return(p_order_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.refunds;
  v_after app.refunds;
begin
  perform app.require_admin('refunds');
  perform app.reject_own_order(p_order_id);
  perform app.lock_order(p_order_id);
  v_before := app.require_open_request(p_order_id);
  v_after := app.receive_return(p_order_id, null);
  perform app.record_action('receive_return', 'order', p_order_id::text, app.return_record(v_before), app.return_record(v_after));
  return app.refund_json(v_after);
end
$$;

comment on function api.receive_return is
  'Records that the goods of the open refund request have arrived and returns the request. Serves PUT /adminapi/order/{id}/refund/return/receive.';

grant execute on function api.receive_return(bigint) to store_admin;

-- Locks: the order.
-- Idempotent: see app.send_return. No quota: a call changes one row of the caller and keeps no earlier value.
create or replace function api.send_return(p_order_id bigint, p_carrier text, p_tracking_no text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_own_order(p_order_id);
  return app.refund_json(app.send_return(p_order_id, p_carrier, p_tracking_no, null));
end
$$;

comment on function api.send_return is
  'Records or corrects the parcel by which the caller sends the goods of the open refund request back, and returns the request. Serves PUT '
  '/api/order/{id}/refund/return.';

grant execute on function api.send_return(bigint, text, text) to authenticated, store_admin;
