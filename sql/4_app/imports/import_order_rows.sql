-- An order that was not paid is cancelled, because a later payment in the previous system could not be matched here.
-- Precondition: the caller owns the structure lock. None of the orders is in the store.
create or replace function app.import_order_rows(p_order_nos text[], p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_zone text := (select t.time_zone from app.settings as t);
  v_plan app.commission_plans := (select p from app.commission_plans as p order by p.version desc limit 1);
begin
  insert into app.orders (
    order_no, uid, referrer_uid, state, total_price, discount, freight, pay_price, has_queue_goods, queue_base, queue_units, below_minimum,
    refund_status, plan_version, pay_type, pay_ref, paid_at, delivered_at, received_at, cancelled_at, address, remark, carrier, tracking_no,
    add_time, is_imported
  )
  select
    s.order_no, m.uid, r.uid, case when p.is_paid then s.state else 'cancelled' end, l.total, l.discount, coalesce(s.freight::numeric, 0),
    l.total - l.discount + coalesce(s.freight::numeric, 0), l.has_queue_goods, l.base, l.units,
    p.is_paid and l.has_queue_goods and app.is_below_minimum(l.base_paid, v_plan.minimum_base),
    case when l.units_left = 0 then 2 when q.is_requested then 1 when l.refunded > 0 then 3 else 0 end,
    case when p.is_paid then v_plan.version end,
    case when p.is_paid then app.import_pay_type(s.pay_type) end,
    case when p.is_paid then coalesce(s.pay_ref, s.order_no) end,
    t.paid_at, t.delivered_at, case when p.is_paid and s.state = 'received' then greatest(t.received_at, t.delivered_at, t.paid_at) end,
    case when not p.is_paid then coalesce(app.import_time(s.cancelled_at, v_zone), p_now) end,
    app.import_address(s), left(coalesce(s.remark, ''), 500),
    case when t.delivered_at is not null then app.visible_text(left(app.visible_text(s.carrier), 64)) end,
    case when t.delivered_at is not null then app.visible_text(left(app.visible_text(s.tracking_no), 64)) end,
    app.import_time(s.placed_at, v_zone), true
  from app.staged_orders as s
  join (
    select
      i.order_no, sum(i.price * i.quantity) as total, sum(i.discount) as discount, bool_or(i.is_queue_goods) as has_queue_goods,
      sum(i.quantity - i.refunded) as units_left, sum(i.refunded) as refunded,
      coalesce(sum(i.quantity - i.refunded) filter (where i.is_queue_goods), 0) as units,
      coalesce(sum(i.price * i.quantity - i.discount) filter (where i.is_queue_goods), 0) as base_paid,
      coalesce(sum(app.amount_left(i.price * i.quantity - i.discount, i.quantity, i.refunded)) filter (where i.is_queue_goods), 0) as base
    from app.import_lines(p_order_nos) as i
    group by i.order_no
  ) as l on l.order_no = s.order_no
  join app.imported_members as m on m.old_uid = s.uid::bigint
  left join app.imported_members as r on r.old_uid = s.referrer::bigint
  cross join lateral (select s.state in ('paid', 'delivered', 'received') as is_paid) as p
  cross join lateral (
    select exists (select from app.staged_refunds as f where f.order_no = s.order_no and f.state = 'requested') as is_requested
  ) as q
  cross join lateral (
    select
      case when p.is_paid then app.import_time(s.paid_at, v_zone) end as paid_at,
      case when s.state in ('delivered', 'received') then coalesce(app.import_time(s.delivered_at, v_zone), app.import_time(s.paid_at, v_zone)) end as delivered_at,
      app.import_time(s.received_at, v_zone) as received_at
  ) as t
  where s.order_no = any (p_order_nos)
  order by s.line;

  insert into app.order_lines (order_id, product_id, title, price, quantity, discount, paid, is_queue_goods, refunded_quantity)
  select o.id, i.product_id, i.title, i.price, i.quantity, i.discount, i.price * i.quantity - i.discount, i.is_queue_goods, i.refunded
  from app.import_lines(p_order_nos) as i
  join app.orders as o on o.order_no = i.order_no
  order by o.id, i.line_no;
end
$$;

comment on function app.import_order_rows is 'Writes staged orders and their lines, as refunds of the previous system left them.';
