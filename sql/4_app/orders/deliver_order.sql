-- Locks: the order.
-- Raises: invalid_argument, order_not_found, order_state_conflict.
-- Idempotent: of a shipped order, only a given carrier or tracking number changes; a received order is returned unchanged.
create or replace function app.deliver_order(p_order_id bigint, p_now timestamptz, p_carrier text default null, p_tracking_no text default null)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_order(p_order_id);
  v_now timestamptz := app.effect_time(p_now);
  v_constraint text;
begin
  if (v_order.state = 'paid' and v_order.refund_status <> 2) or v_order.state = 'delivered' then
    update app.orders
    set state = 'delivered', delivered_at = coalesce(delivered_at, v_now),
        carrier = coalesce(p_carrier, carrier), tracking_no = coalesce(p_tracking_no, tracking_no)
    where id = p_order_id returning * into v_order;
    perform app.ask_to_upload_shipping(v_order, v_now) where v_order.delivered_at = v_now;
  elsif v_order.state <> 'received' then
    perform app.fail('order_state_conflict', 'Only a paid order that is not refunded can be marked as shipped.');
  end if;
  return v_order;
exception when check_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.reject_value(v_constraint);
end
$$;

comment on function app.deliver_order is
  'Marks a paid order as shipped (state delivered), with carrier and tracking number where they are given, and returns it.';
