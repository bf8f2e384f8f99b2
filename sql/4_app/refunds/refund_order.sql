-- Locks: structure (shared), the order, the products with a limited stock, balances by uid.
-- Raises: order_not_found, order_state_conflict, order_archived, refund_exceeds_order, refund_reference_used, invalid_argument.
-- Idempotent with p_refund_ref: the same reference and units return the same refund. Without it, a repeated call refunds only
-- units that are left.
create or replace function app.refund_order(p_order_id bigint, p_lines jsonb, p_refund_ref text, p_now timestamptz)
returns app.refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_for_refund(p_order_id);
  v_items app.refund_item[];
  v_facts app.refund_facts;
  v_refund app.refunds;
  v_now timestamptz;
begin
  if char_length(p_refund_ref) not between 1 and 128 then
    perform app.fail('invalid_argument', 'A refund reference has between 1 and 128 characters.');
  end if;
  select r.* into v_refund from app.refunds as r where r.order_id = p_order_id and r.refund_ref = p_refund_ref;
  if found then
    return app.replay_refund(v_refund, p_lines);
  end if;
  v_items := app.refund_items(p_order_id, p_lines, true);
  if v_order.state = 'paid' then
    perform app.return_stock(p_order_id, v_items);
  end if;
  v_facts := app.load_refund(v_order, v_items, false);
  v_now := app.effect_time(p_now);

  v_refund := app.complete_refund(p_order_id, v_items, p_lines is not null, p_refund_ref, v_now);
  perform app.refund_at_provider(v_refund, v_now);
  perform app.book_refund_effects(v_facts, v_refund.decided_position, v_now);
  if (v_facts.settlement).order_id is null and v_order.has_queue_goods and (v_facts.after).queue_units = 0 then
    perform app.settle_order(p_order_id, v_now);
  end if;
  return v_refund;
end
$$;

comment on function app.refund_order is
  'Refunds units of an order and returns the refund: the units of p_lines, else those of the open request, else all that is '
  'left. The points that paid for the units return to the buyer. Books the difference between what the order granted and what the rest of it should pay. If no base is left, the '
  'place is free again, unless the cycle is complete. An order that is not settled and has no queue goods left is settled as refunded. Levels '
  'stay. Units that have not left the store go back to the stock. The provider of the payment is asked to pay the money back.';
