-- Locks: structure (shared), the order, balances by uid.
-- Raises: order_not_found, order_state_conflict, order_archived, refund_state_conflict, refund_exceeds_order, invalid_argument.
-- Idempotent in effect while the request is open: another one raises refund_state_conflict and changes nothing.
create or replace function app.request_refund(p_order_id bigint, p_lines jsonb, p_reason text, p_now timestamptz)
returns app.refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
  v_items app.refund_item[];
  v_facts app.refund_facts;
  v_refund app.refunds;
  v_now timestamptz;
begin
  if char_length(p_reason) > 500 then
    perform app.fail('invalid_argument', 'A reason has at most 500 characters.');
  end if;
  v_order := app.lock_for_refund(p_order_id);
  if v_order.refund_status = 1 then
    perform app.fail('refund_state_conflict', 'This order already has a refund request that is not decided yet.');
  end if;
  v_items := app.refund_items(p_order_id, p_lines, false);
  v_facts := app.load_refund(v_order, '{}', true);
  v_now := app.effect_time(p_now);
  v_refund := app.insert_refund(p_order_id, 'requested', v_items, p_lines is not null, null, p_reason, v_now);
  perform app.book_refund_effects(v_facts, v_refund.position, v_now);
  return v_refund;
end
$$;

comment on function app.request_refund is
  'Requests a refund of the units in p_lines (null: all that is left) and returns it. The order does not count for tasks while '
  'the request is open (R8).';
