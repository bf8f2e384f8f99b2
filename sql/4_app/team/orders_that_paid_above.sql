-- Reads the whole downline.
create or replace function app.orders_that_paid_above(p_uid bigint)
returns setof bigint
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with above as materialized (select a.uid from app.get_upline(p_uid) as a)
  select d.order_id
  from app.downline_orders(p_uid) as d
  join app.orders as o on o.id = d.order_id and o.queue_units > 0
  where exists (select from app.settlements as s join above as a on a.uid = s.earner_uid where s.order_id = d.order_id)
    or exists (select from app.user_bill as b join above as a on a.uid = b.uid where b.order_id = d.order_id)
$$;

comment on function app.orders_that_paid_above is
  'Returns the orders of members below a member that have given anybody above that member commission, a place or points, and that are not '
  'refunded completely: their refunds and receipts reach above a closed branch (app.closed_branches).';
