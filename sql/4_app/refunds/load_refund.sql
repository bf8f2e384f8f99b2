-- Step one for refunds: locks whoever is concerned and reads what decide_refund needs. p_items: the units that are refunded;
-- p_is_requested: whether a request is open afterwards; p_locks: false only reads, for a preview.
-- Callers: refund_order, request_refund, refuse_refund, preview_refund. Locks: the caller holds structure and order; balances by uid.
create or replace function app.load_refund(
  p_order app.orders, p_items app.refund_item[], p_is_requested boolean, p_locks boolean default true
)
returns app.refund_facts
language plpgsql
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
      select s.earner_uid from app.settlements as s where s.order_id = p_order.id and s.earner_uid is not null
    ),
    p_locks => p_locks
  );
  v_facts.grants := array(select g from app.standing_grants(p_order.id) as g order by g.bill_id);
  return v_facts;
end
$$;
