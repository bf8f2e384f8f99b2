-- An order may have advanced in this store since then, so a state differs only if that of the file is later.
create or replace function app.check_imported_orders()
returns table (severity text, file text, line integer, name text, finding text, value text)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with ranks (state, rank) as (values ('unpaid', 0), ('cancelled', 0), ('paid', 1), ('delivered', 2), ('received', 3)),
  orders as materialized (
    select s.line, s.order_no, s.state, s.pay_price, o.id, o.state as known_state, o.pay_price as known_price, o.paid_at is not null as was_paid
    from app.staged_orders as s join app.orders as o on o.order_no = s.order_no and o.is_imported
  ),
  units as materialized (
    select o.id, sum(l.quantity) as sold, sum(l.refunded_quantity) as refunded
    from orders as o join app.order_lines as l on l.order_id = o.id
    where o.was_paid group by o.id
  ),
  refunds as (
    select
      r.order_no, min(r.line) as line, bool_or(r.line_no is null and coalesce(r.state, 'refunded') = 'refunded') as is_whole,
      sum(r.quantity::integer) filter (where r.line_no is not null and coalesce(r.state, 'refunded') = 'refunded') as quantity,
      max(r.refund_no) filter (where r.state = 'requested') as request
    from app.staged_refunds as r group by r.order_no
  )
  select 'warning', 'orders', o.line, 'state', 'is ahead of the order that was imported before, which does not change', format('%s: %s (in this store: %s)', o.order_no, o.state, o.known_state)
  from orders as o
  join ranks as n on n.state = o.state
  join ranks as k on k.state = o.known_state
  where n.rank > k.rank or (n.rank = 0 and k.rank > 0)
  union all
  select 'warning', 'orders', o.line, 'pay_price', 'differs from the order that was imported before, which does not change', format('%s: %s (imported: %s)', o.order_no, o.pay_price, o.known_price)
  from orders as o where o.pay_price::numeric <> o.known_price
  union all
  select
    'warning', 'refunds', r.line, 'quantity', 'is refunded further than the order that was imported before, which does not change',
    format('%s: %s (in this store: %s)', r.order_no, case when r.is_whole then u.sold else r.quantity end, u.refunded)
  from refunds as r
  join orders as o on o.order_no = r.order_no
  join units as u on u.id = o.id
  where case when r.is_whole then u.sold else r.quantity end > u.refunded
  union all
  select 'warning', 'refunds', r.line, 'state', 'is requested for an order that was imported before, which does not change', r.order_no
  from refunds as r
  join orders as o on o.order_no = r.order_no
  join units as u on u.id = o.id
  where r.request is not null and not r.is_whole and u.refunded < u.sold
    and not exists (select from app.refunds as f where f.order_id = o.id and f.refund_ref = r.request)
$$;

comment on function app.check_imported_orders is
  'Finds staged orders that were imported before and differ from what was imported then: in state, price or refunds. A later import does '
  'not change them.';
