-- Security definer: members have no privilege on payment attempts.
-- Raises: unauthenticated, order_not_found (also for an order of another member).
create or replace function api.get_payment(p_order_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_own_order(p_order_id);
  return (
    select jsonb_build_object('order_id', o.id, 'order_state', o.state, 'amount', o.pay_price::text, 'attempt', (
      select app.attempt_json(a) from app.payment_attempts as a where a.order_id = p_order_id order by a.id desc limit 1
    ))
    from app.orders as o where o.id = p_order_id
  );
end
$$;

comment on function api.get_payment is
  'Returns the state of one of the caller''s orders and its latest payment attempt. Serves GET /api/order/{id}/payment.';

grant execute on function api.get_payment(bigint) to authenticated, store_admin;
