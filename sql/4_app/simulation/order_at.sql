create or replace function app.order_at(
  p_order_id bigint, p_at timestamptz, p_position bigint, p_by_time boolean,
  out base numeric, out units integer, out refund_status smallint
)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with refunds as (
    select
      r.id, r.state,
      case when p_by_time then (r.decided_at, r.decided_position) <= (p_at, p_position) else r.decided_position <= p_position end as is_decided,
      case when p_by_time then (r.created_at, r.position) <= (p_at, p_position) else r.position <= p_position end as is_requested
    from app.refunds as r
    where r.order_id = p_order_id
  ),
  lines as (
    select l.paid, l.quantity, l.is_queue_goods, coalesce((
      select sum(i.quantity) from app.refund_lines as i join refunds as r on r.id = i.refund_id
      where i.line_id = l.id and r.state = 'refunded' and r.is_decided
    ), 0)::integer as refunded
    from app.order_lines as l
    where l.order_id = p_order_id
  )
  select
    coalesce(sum(app.amount_left(l.paid, l.quantity, l.refunded)) filter (where l.is_queue_goods), 0),
    coalesce(sum(l.quantity - l.refunded) filter (where l.is_queue_goods), 0),
    case
      when sum(l.quantity - l.refunded) = 0 then 2
      when exists (select from refunds as r where r.is_requested and not coalesce(r.is_decided, false)) then 1
      when sum(l.refunded) > 0 then 3
      else 0
    end
  from lines as l
$$;

comment on function app.order_at is
  'Returns what was left of an order''s queue goods, and its refund status, right after the events up to a key. The key is '
  'p_position; with p_by_time it is (p_at, p_position).';
