create or replace function app.check_import_orders(p_now timestamptz)
returns table (severity text, file text, line integer, name text, finding text, value text)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with known as (
    select s.uid from app.staged_members as s union select i.old_uid::text from app.imported_members as i
  ),
  orders as materialized (
    select
      s.*, s.state in ('paid', 'delivered', 'received') as is_paid, count(*) over (partition by s.order_no) as times,
      app.import_pay_type(s.pay_type) as payment_type, coalesce(s.pay_ref, s.order_no) as payment
    from app.staged_orders as s
  ),
  sums as materialized (
    select
      l.order_no, sum(l.price::numeric * l.quantity::integer) as total, sum(l.discount::numeric) as discount,
      bool_or(l.discount::numeric > l.price::numeric * l.quantity::integer) as exceeds
    from app.staged_order_lines as l group by l.order_no
  )
  select 'error', 'orders', o.line, 'order_no', 'occurs more than once', o.order_no from orders as o where o.times > 1
  union all
  select 'error', 'orders', o.line, 'order_no', 'is the number of an order of this store', o.order_no
  from orders as o join app.orders as x on x.order_no = o.order_no and not x.is_imported
  union all
  select 'error', 'orders', o.line, 'uid', 'is not a known member', o.uid from orders as o where not exists (select from known as k where k.uid = o.uid)
  union all
  select 'error', 'orders', o.line, 'referrer', 'is not a known member', o.referrer
  from orders as o where o.referrer is not null and not exists (select from known as k where k.uid = o.referrer)
  union all
  select 'error', 'orders', o.line, 'referrer', 'is the buyer', o.referrer from orders as o where o.referrer = o.uid
  union all
  select 'error', 'orders', o.line, 'paid_at', format('is missing although the order is %s', o.state), null from orders as o where o.is_paid and o.paid_at is null
  union all
  select 'error', 'orders', o.line, 'pay_ref', 'paid another order, too', o.payment
  from (select *, count(*) over (partition by p.payment_type, p.payment) as payments from orders as p where p.is_paid) as o
  where o.payments > 1 and o.times = 1
  union all
  select 'error', 'orders', o.line, 'pay_ref', 'paid an order of this store', o.payment
  from orders as o join app.orders as x on x.pay_type = o.payment_type and x.pay_ref = o.payment and x.order_no <> o.order_no
  where o.is_paid and not exists (select from app.orders as i where i.order_no = o.order_no)
  union all
  select 'error', 'orders', o.line, 'order_no', 'has no lines', o.order_no from orders as o where not exists (select from sums as s where s.order_no = o.order_no)
  union all
  select 'error', 'orders', o.line, 'total_price', 'is too large: the lines add up to a trillion or more', s.total::text
  from orders as o join sums as s on s.order_no = o.order_no where s.total >= 1000000000000
  union all
  select 'error', 'orders', o.line, 'total_price', format('is not the sum of the lines, %s', s.total), o.total_price
  from orders as o join sums as s on s.order_no = o.order_no where o.total_price::numeric <> s.total
  union all
  select 'error', 'orders', o.line, 'discount', format('is not the sum of the discounts of the lines, %s', s.discount), o.discount
  from orders as o join sums as s on s.order_no = o.order_no where o.discount::numeric <> s.discount
  union all
  select 'error', 'orders', o.line, 'pay_price', format('is not %s: the lines (%s), less the discount (%s), plus freight (%s)', s.total - d.discount + d.freight, s.total, d.discount, d.freight), o.pay_price
  from orders as o
  join sums as s on s.order_no = o.order_no
  cross join lateral (
    select
      coalesce(o.freight::numeric, 0) as freight,
      coalesce(o.discount::numeric, s.discount, least(greatest(s.total + coalesce(o.freight::numeric, 0) - o.pay_price::numeric, 0), s.total)) as discount
  ) as d
  where o.pay_price::numeric <> s.total - d.discount + d.freight or d.discount > s.total or s.exceeds
  union all
  select 'warning', 'orders', o.line, 'state', 'is unpaid: the order is imported as cancelled', o.order_no from orders as o where o.state = 'unpaid'
$$;

comment on function app.check_import_orders is
  'Finds staged orders that the store cannot take: duplicates, unknown members, payments without a time or used twice, and sums that '
  'do not fit; and unpaid orders, which are cancelled.';
