-- An order that was not paid is cancelled, because a later payment in the previous system could not be matched here.
-- Nested loops over arrays would take quadratic time, and the planner does not know how long the arrays are. Custom plans are no way
-- out here: the setting applies to the foreign keys, too, whose queries would be planned again for each row.
-- Precondition: the caller owns the structure lock. None of the orders is in the store.
create or replace function app.import_order_rows(p_order_nos text[], p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set enable_nestloop = off
set jit = off
as $$
declare
  v_zone text := (select t.time_zone from app.settings as t);
  v_plan app.commission_plans := (select p from app.commission_plans as p order by p.version desc limit 1);
begin
  with lines as materialized (select * from app.import_lines(p_order_nos)),
  sums as (
    select
      i.order_no, sum(i.price * i.quantity) as total, sum(i.discount) as discount, bool_or(i.is_queue_goods) as has_queue_goods,
      sum(i.quantity - i.refunded) as units_left, sum(i.refunded) as refunded,
      coalesce(sum(i.quantity - i.refunded) filter (where i.is_queue_goods), 0) as units,
      coalesce(sum(i.price * i.quantity - i.discount) filter (where i.is_queue_goods), 0) as base_paid,
      coalesce(sum(app.amount_left(i.price * i.quantity - i.discount, i.quantity, i.refunded)) filter (where i.is_queue_goods), 0) as base
    from lines as i
    group by i.order_no
  ),
  -- Materialized, so that no value is computed again for each use.
  paid as materialized (
    select
      s.*, app.import_address(s) as address, f.is_paid, case when f.is_paid then app.import_time(s.paid_at, v_zone) end as payment_time,
      coalesce(s.freight::numeric, 0) as freight_price
    from app.staged_orders as s
    cross join lateral (select s.state in ('paid', 'delivered', 'received') as is_paid) as f
    where s.order_no = any (p_order_nos)
  ),
  staged as materialized (
    select
      p.*, case when p.state in ('delivered', 'received') then coalesce(app.import_time(p.delivered_at, v_zone), p.payment_time) end as delivery_time
    from paid as p
  ),
  requests as (select distinct r.order_no from app.staged_refunds as r where r.order_no = any (p_order_nos) and r.state = 'requested'),
  added as (
    insert into app.orders (
      order_no, uid, referrer_uid, state, total_price, discount, freight, pay_price, has_queue_goods, queue_base, queue_units, below_minimum,
      refund_status, plan_version, pay_type, pay_ref, paid_at, delivered_at, received_at, cancelled_at, address, remark, carrier, tracking_no,
      add_time, is_imported
    )
    select
      s.order_no, m.uid, r.uid, case when s.is_paid then s.state else 'cancelled' end, l.total, l.discount, s.freight_price,
      l.total - l.discount + s.freight_price, l.has_queue_goods, l.base, l.units,
      s.is_paid and l.has_queue_goods and app.is_below_minimum(l.base_paid, v_plan.minimum_base),
      case when l.units_left = 0 then 2 when q.order_no is not null then 1 when l.refunded > 0 then 3 else 0 end,
      case when s.is_paid then v_plan.version end,
      case when s.is_paid then app.import_pay_type(s.pay_type) end,
      case when s.is_paid then coalesce(s.pay_ref, s.order_no) end,
      s.payment_time, s.delivery_time, case when s.is_paid and s.state = 'received' then greatest(app.import_time(s.received_at, v_zone), s.delivery_time, s.payment_time) end,
      case when not s.is_paid then coalesce(app.import_time(s.cancelled_at, v_zone), p_now) end,
      case when app.is_address(s.address) then s.address end, left(coalesce(s.remark, ''), 500),
      case when s.delivery_time is not null then app.visible_text(left(app.visible_text(s.carrier), 64)) end,
      case when s.delivery_time is not null then app.visible_text(left(app.visible_text(s.tracking_no), 64)) end,
      app.import_time(s.placed_at, v_zone), true
    from staged as s
    join sums as l on l.order_no = s.order_no
    join app.imported_members as m on m.old_uid = s.uid::bigint
    left join app.imported_members as r on r.old_uid = s.referrer::bigint
    left join requests as q on q.order_no = s.order_no
    order by s.line
    returning id, order_no
  )
  insert into app.order_lines (order_id, product_id, title, price, quantity, discount, paid, is_queue_goods, refunded_quantity)
  select a.id, i.product_id, i.title, i.price, i.quantity, i.discount, i.price * i.quantity - i.discount, i.is_queue_goods, i.refunded
  from lines as i
  join added as a on a.order_no = i.order_no
  order by a.id, i.line_no;
end
$$;

comment on function app.import_order_rows is 'Writes staged orders and their lines, as refunds of the previous system left them.';
