-- The members whose rows a refund of an order locks: whoever its settlement paid, the buyer, and everyone whose counters
-- may change. Callers: request_refund, refuse_refund, refund_order. Reads only; the caller holds structure and order.
create or replace function app.refund_participants(p_order_id bigint)
returns bigint[]
language sql
stable
set search_path = ''
as $$
  select array_agg(distinct p.uid)
  from (
    select unnest(app.settlement_participants(array[p_order_id])) as uid
    union all
    select l.uid from app.user_bill as l where l.order_id = p_order_id
    union all
    select s.earner_uid from app.settlements as s where s.order_id = p_order_id and s.earner_uid is not null
  ) as p
$$;
