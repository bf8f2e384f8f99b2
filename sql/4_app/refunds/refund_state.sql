-- Locks: structure (shared), then the order, in the order in which refunds lock them, so that the state does not change before
-- the action.
-- Raises: order_not_found.
create or replace function app.refund_state(p_order_id bigint)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  perform app.lock_structure_shared();
  v_order := app.lock_order(p_order_id);
  return jsonb_build_object(
    'refund_status', v_order.refund_status,
    'refunded', (select coalesce(sum(r.amount), 0.00)::text from app.refunds as r where r.order_id = p_order_id and r.state = 'refunded'),
    'points_left', trim_scale(v_order.points_left),
    'requests', (select count(*) from app.refunds as r where r.order_id = p_order_id and r.state = 'requested')
  );
end
$$;

comment on function app.refund_state is 'Returns how far an order is refunded, for the record of administrative actions.';
