-- Locks: the order, the products with a limited stock.
-- Raises: invalid_argument, order_not_found, order_state_conflict.
-- Idempotent: a cancelled order is returned unchanged.
create or replace function app.cancel_order(p_order_id bigint, p_now timestamptz, p_is_expired boolean default false)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_order(p_order_id);
  v_now timestamptz := app.effect_time(p_now);
begin
  if v_order.state = 'unpaid' then
    perform app.return_stock(p_order_id, array(select (l.id, l.quantity)::app.refund_item from app.order_lines as l where l.order_id = p_order_id));
    update app.orders set state = 'cancelled', cancelled_at = v_now, is_expired = coalesce(p_is_expired, false) where id = p_order_id returning * into v_order;
    perform app.close_open_attempts(p_order_id, v_now);
  elsif v_order.state <> 'cancelled' then
    perform app.fail('order_state_conflict', 'Only an unpaid order can be cancelled; ask for a refund instead.');
  end if;
  return v_order;
end
$$;

comment on function app.cancel_order is
  'Cancels an unpaid order, gives back its stock, and returns it. The providers of its open payments are asked to close them.';
