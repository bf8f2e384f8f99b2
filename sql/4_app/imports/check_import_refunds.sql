create or replace function app.check_import_refunds()
returns table (severity text, file text, line integer, name text, finding text, value text)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with refunds as materialized (
    select
      r.*, coalesce(r.state, 'refunded') as kind,
      count(*) over (partition by r.order_no, r.refund_no, r.line_no::bigint) as times,
      count(*) filter (where r.line_no is null and coalesce(r.state, 'refunded') = 'refunded') over (partition by r.order_no) as whole,
      min(coalesce(r.state, 'refunded')) over w <> max(coalesce(r.state, 'refunded')) over w
        or (bool_or(r.line_no is null) over w and bool_or(r.line_no is not null) over w) as is_mixed,
      min(r.refund_no) filter (where r.state = 'requested') over (partition by r.order_no)
        <> max(r.refund_no) filter (where r.state = 'requested') over (partition by r.order_no) as has_requests
    from app.staged_refunds as r
    window w as (partition by r.order_no, r.refund_no)
  )
  select 'error', 'refunds', r.line, 'order_no', 'is not a known paid order', r.order_no
  from refunds as r
  where not exists (select from app.staged_orders as o where o.order_no = r.order_no and o.state in ('paid', 'delivered', 'received'))
  union all
  select 'error', 'refunds', r.line, 'line_no', 'is not a line of the order', r.line_no
  from refunds as r
  where r.line_no is not null and not exists (select from app.staged_order_lines as l where l.order_no = r.order_no and l.line_no::bigint = r.line_no::bigint)
  union all
  select 'error', 'refunds', r.line, 'quantity', 'is missing although the refund names a line', null
  from refunds as r where r.line_no is not null and r.quantity is null
  union all
  select 'error', 'refunds', r.line, 'refund_no', 'names the same line twice', r.refund_no from refunds as r where r.times > 1
  union all
  select 'error', 'refunds', r.line, 'refund_no', 'has rows with and without a line, or of two states', r.refund_no from refunds as r where r.is_mixed
  union all
  select 'error', 'refunds', r.line, 'line_no', 'is missing in several refunds of the order', r.refund_no
  from refunds as r where r.whole > 1 and r.line_no is null and r.kind = 'refunded'
  union all
  select 'error', 'refunds', r.line, 'state', 'is requested in several refunds of the order', r.state
  from refunds as r where r.has_requests and r.kind = 'requested'
  union all
  select 'error', 'refunds', q.line, 'quantity', format('is more than the %s units of the line, together with other refunds', l.quantity), q.quantity::text
  from (
    select r.order_no, r.line_no::bigint as line_no, max(r.line) as line, sum(r.quantity::integer) as quantity
    from refunds as r where r.line_no is not null and r.quantity is not null group by r.order_no, r.line_no::bigint
  ) as q
  join app.staged_order_lines as l on l.order_no = q.order_no and l.line_no::bigint = q.line_no
  where q.quantity > l.quantity::integer
$$;

comment on function app.check_import_refunds is
  'Finds staged refunds that the store cannot take: of unknown or unpaid orders and lines, of more units than were sold, and several '
  'open requests of one order.';
