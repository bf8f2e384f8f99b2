-- A refund that names no line takes whatever the named ones leave. One that is left without units is dropped.
-- Precondition: the orders and their lines are written, and their settlements are not, so that the positions of refunds come first.
create or replace function app.import_refunds(p_order_nos text[], p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
begin
  with items as materialized (select * from app.import_refund_items(p_order_nos)),
  refunds as (
    select
      i.order_id, i.refund_no, min(i.state) as state, max(i.reason) as reason, bool_or(i.is_named) as is_named,
      least(coalesce(max(i.refunded_at), max(greatest(o.received_at, o.delivered_at, o.paid_at))), p_now) as at,
      sum(app.amount_left(i.paid, i.units, i.refunded_before) - app.amount_left(i.paid, i.units, i.refunded_before + i.quantity)) as amount
    from items as i
    join app.orders as o on o.id = i.order_id
    group by i.order_id, i.refund_no
  ),
  numbered as (select r.*, nextval('app.positions') as position from (select * from refunds as f order by f.order_id, f.at, f.refund_no) as r),
  added as (
    insert into app.refunds (order_id, state, refund_ref, reason, amount, names_units, created_at, decided_at, position, decided_position)
    select
      r.order_id, r.state, r.refund_no, left(coalesce(r.reason, ''), 500), r.amount, r.is_named, r.at, case when r.state = 'refunded' then r.at end,
      r.position, case when r.state = 'refunded' then r.position end
    from numbered as r
    returning id, order_id, refund_ref
  )
  insert into app.refund_lines (refund_id, line_id, quantity)
  select a.id, i.line_id, i.quantity from items as i join added as a on a.order_id = i.order_id and a.refund_ref = i.refund_no;
end
$$;

comment on function app.import_refunds is 'Writes the refunds and refund requests of staged orders.';
