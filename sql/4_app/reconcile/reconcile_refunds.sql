create or replace function app.reconcile_refunds()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select
    'standing_grant_equals_what_is_left', format('bill %s of order %s', g.bill_id, o.id),
    a.amount::text, g.standing::text
  from app.orders as o
  join app.settlements as s on s.order_id = o.id
  cross join lateral app.standing_grants(o.id) as g
  cross join lateral (
    select app.grant_amount(g.type, app.basis_left(g.type, g.source, o.queue_base, o.queue_units, s.rate), g.rate) as amount
  ) as a
  where exists (select from app.refunds as r where r.order_id = o.id and r.state = 'refunded') and g.standing <> a.amount
  union all
  select
    'refunded_units_equal_refunds', format('order line %s', l.id), coalesce(sum(i.quantity), 0)::text, l.refunded_quantity::text
  from app.order_lines as l
  left join (
    app.refund_lines as i join app.refunds as r on r.id = i.refund_id and r.state = 'refunded'
  ) on i.line_id = l.id
  group by l.id
  having l.refunded_quantity <> coalesce(sum(i.quantity), 0)
  union all
  select
    'queue_goods_left_equal_lines', format('order %s', o.id),
    format('%s of %s units', t.base, t.units), format('%s of %s units', o.queue_base, o.queue_units)
  from app.orders as o
  join (
    select l.order_id, coalesce(sum(app.amount_left(l.paid, l.quantity, l.refunded_quantity)), 0) as base,
      coalesce(sum(l.quantity - l.refunded_quantity), 0) as units
    from app.order_lines as l
    where l.is_queue_goods
    group by l.order_id
  ) as t on t.order_id = o.id
  where (o.queue_base, o.queue_units) <> (t.base, t.units)
$$;

comment on function app.reconcile_refunds is
  'Finds orders with refunds whose grants, less their reversals, are not what the rest of the order should pay, and orders '
  'whose remaining units or queue goods do not follow from their lines and refunds.';
