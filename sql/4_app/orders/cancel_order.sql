-- Locks: the order, the products with a limited stock; if points paid for it, the balances of the buyer.
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
  v_points numeric := v_order.points_left;
  v_now timestamptz;
begin
  if v_order.state = 'unpaid' then
    perform app.return_stock(p_order_id, array(select (l.id, l.quantity)::app.refund_item from app.order_lines as l where l.order_id = p_order_id));
    if v_points > 0 then
      perform app.lock_balances(array[v_order.uid]);
    end if;
    v_now := app.effect_time(p_now);
    update app.orders set state = 'cancelled', cancelled_at = v_now, is_expired = coalesce(p_is_expired, false), points_left = 0
    where id = p_order_id returning * into v_order;
    perform app.close_open_attempts(p_order_id, v_now);
    if v_points > 0 then
      perform app.book_entries(array[app.checkout_entry(v_order, v_points)], '{}', '{}', v_now);
    end if;
  elsif v_order.state <> 'cancelled' then
    perform app.fail('order_state_conflict', 'Only an unpaid order can be cancelled; ask for a refund instead.');
  end if;
  return v_order;
end
$$;

comment on function app.cancel_order is
  'Cancels an unpaid order, gives back its stock and its points, and returns it. The providers of its open payments are asked to close them.';
