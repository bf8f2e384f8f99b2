-- The members whose rows a refund of an order locks: whoever its settlement paid, the buyer, and everyone whose counters
-- may change. Callers: lock_for_refund. Reads only; the caller holds structure and order.
create or replace function app.refund_participants(p_order app.orders)
returns bigint[]
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select array_agg(distinct p.uid)
  from (
    select unnest(app.order_participants(p_order)) as uid
    union all
    select l.uid from app.user_bill as l where l.order_id = p_order.id
    union all
    select s.earner_uid from app.settlements as s where s.order_id = p_order.id and s.earner_uid is not null
  ) as p
$$;
