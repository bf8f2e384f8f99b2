-- Locks: structure (shared), the order, balances by uid.
-- Raises: invalid_argument, order_not_found, order_state_conflict, order_archived, refund_not_found.
-- Idempotent in effect: a second call raises refund_not_found and changes nothing.
create or replace function app.refuse_refund(p_order_id bigint, p_now timestamptz)
returns app.refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_for_refund(p_order_id);
  v_facts app.refund_facts := app.load_refund(v_order, '{}', false);
  v_now timestamptz := app.effect_time(p_now);
  v_refund app.refunds;
begin
  update app.refunds as r set state = 'refused', decided_at = v_now, decided_position = nextval('app.positions')
  where r.order_id = p_order_id and r.state = 'requested'
  returning r.* into v_refund;
  if not found then
    perform app.fail('refund_not_found', 'This order has no open refund request.');
  end if;
  perform app.book_refund_effects(v_facts, v_refund.decided_position, v_now);
  return v_refund;
end
$$;

comment on function app.refuse_refund is
  'Refuses the open refund request of an order and returns it; the order counts for tasks as before (R8).';
