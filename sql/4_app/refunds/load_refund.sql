-- Precondition: the caller has locked the structure and the order, unless p_locks is false.
-- Locks: balances by uid.
create or replace function app.load_refund(
  p_order app.orders, p_items app.refund_item[], p_is_requested boolean, p_locks boolean default true
)
returns app.refund_facts
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_facts app.refund_facts;
begin
  v_facts.before := p_order;
  v_facts.after := app.order_with_refund(p_order, p_items, p_is_requested);
  v_facts.settlement := (select s from app.settlements as s where s.order_id = p_order.id);
  v_facts.state := app.load_state(
    array[p_order.uid],
    p_also => array(
      select l.uid from app.user_bill as l where l.order_id = p_order.id
      union
      select p_order.uid where p_order.points_left > 0
      union
      select s.earner_uid from app.settlements as s where s.order_id = p_order.id and s.earner_uid is not null
    ),
    p_locks => p_locks
  );
  v_facts.grants := array(select g from app.remaining_grants(p_order.id) as g order by g.bill_id);
  return v_facts;
end
$$;

comment on function app.load_refund is
  'Locks the members concerned and reads what decide_refund needs (the first step of the engine). p_items are the refunded '
  'units; p_is_requested tells whether a request is open afterwards; with p_locks false it only reads.';
