-- Custom query plan: see app.import_lines.
create or replace function app.import_refund_items(p_order_nos text[])
returns table (
  order_id bigint, refund_no text, state text, reason text, is_named boolean, refunded_at timestamptz, line_id bigint, paid numeric,
  units integer, quantity integer, refunded_before integer
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
set jit = off
as $$
begin
  return query
    with refunds as materialized (
      select r.order_no, r.refund_no, r.line_no::bigint as line_no, r.quantity::integer as quantity, coalesce(r.state, 'refunded') as state,
        r.reason, app.import_time(r.refunded_at, t.time_zone) as refunded_at
      from app.staged_refunds as r cross join app.settings as t
      where r.order_no = any (p_order_nos)
    ),
    named as (
      select f.order_no, f.line_no, sum(f.quantity)::integer as quantity
      from refunds as f where f.line_no is not null and f.state = 'refunded' group by f.order_no, f.line_no
    ),
    staged as (
      select s.order_no, s.line_no::bigint as line_no, row_number() over (partition by s.order_no order by s.line_no::bigint) as number
      from app.staged_order_lines as s
      where s.order_no in (select r.order_no from refunds as r)
    ),
    -- The lines were written in the order of their numbers.
    written as (
      select l.id, l.order_id, o.order_no, l.paid, l.quantity, l.refunded_quantity, row_number() over (partition by l.order_id order by l.id) as number
      from app.orders as o join app.order_lines as l on l.order_id = o.id
      where o.order_no in (select r.order_no from refunds as r)
    ),
    lines as (
      select w.*, s.line_no, coalesce(n.quantity, 0) as named
      from written as w
      join staged as s on s.order_no = w.order_no and s.number = w.number
      left join named as n on n.order_no = s.order_no and n.line_no = s.line_no
    ),
    items as (
      select
        l.order_id, r.refund_no, r.state, r.reason, r.line_no is not null as is_named, r.refunded_at, l.id as line_id, l.paid, l.quantity as units,
        case when r.line_no is not null then r.quantity when r.state = 'requested' then l.quantity - l.refunded_quantity else l.quantity - l.named end as quantity,
        l.refunded_quantity
      from refunds as r
      join lines as l on l.order_no = r.order_no and (r.line_no is null or l.line_no = r.line_no)
    )
    select
      i.order_id, i.refund_no, i.state, i.reason, i.is_named, i.refunded_at, i.line_id, i.paid, i.units, i.quantity,
      case i.state when 'requested' then i.refunded_quantity else coalesce(sum(i.quantity) filter (where i.state = 'refunded') over (
        partition by i.line_id order by not i.is_named, i.refunded_at, i.refund_no rows between unbounded preceding and 1 preceding
      ), 0)::integer end
    from items as i
    where i.quantity > 0;
end
$$;

comment on function app.import_refund_items is
  'Returns the units that each staged refund or request takes from each line, and the units of the line that were refunded before.';
