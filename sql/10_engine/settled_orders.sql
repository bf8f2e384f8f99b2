-- What is asked about an order after its settlement: what was left of it at a position, and where in the sequence of
-- payments it stood.

-- Has no set clause, so that the planner can inline it.
create or replace function app.concessions_between(p_from bigint, p_to bigint)
returns table (
  order_id bigint, refund_id bigint, line_id bigint, decided_position bigint, amount numeric, units integer
)
language sql
stable
as $$
  select r.order_id, r.id, x.line_id, r.decided_position, x.concession, (l.quantity - coalesce((
    select pg_catalog.sum(y.quantity)
    from app.refund_lines as y join app.refunds as e on e.id = y.refund_id
    where y.line_id = x.line_id and app.is_paid_back(e.state) and e.decided_position < r.decided_position
  ), 0))::pg_catalog.int4
  from app.refunds as r
  join app.refund_lines as x on x.refund_id = r.id and x.concession > 0
  join app.order_lines as l on l.id = x.line_id
  where r.order_id between p_from and p_to and app.is_paid_back(r.state)
$$;

comment on function app.concessions_between is
  'Returns the concessions of orders with ids from p_from to p_to, with the position of the refund and the units of '
  'the line left then. Money, 2 decimals.';

grant execute on function app.concessions_between(bigint, bigint) to store_admin;

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
      case
        when p_by_time then (r.decided_at, r.decided_position) <= (p_at, p_position)
        else r.decided_position <= p_position
      end as is_decided,
      case
        when p_by_time then (r.created_at, r.position) <= (p_at, p_position)
        else r.position <= p_position
      end as is_requested
    from app.refunds as r
    where r.order_id = p_order_id
  ),
  lines as (
    select
      l.paid, l.quantity, l.is_queue_goods, coalesce((
        select sum(i.quantity) from app.refund_lines as i join refunds as r on r.id = i.refund_id
        where i.line_id = l.id and app.is_paid_back(r.state) and r.is_decided
      ), 0)::integer as refunded,
      (
        -- Row order: they are added up.
        select array_agg((c.amount, c.units)::app.concession)
        from app.concessions_between(p_order_id, p_order_id) as c join refunds as r on r.id = c.refund_id
        where c.line_id = l.id and r.is_decided
      ) as concessions
    from app.order_lines as l
    where l.order_id = p_order_id
  )
  select
    coalesce(sum(app.line_left(l.paid, l.quantity, l.refunded, l.concessions)) filter (where l.is_queue_goods), 0),
    coalesce(sum(l.quantity - l.refunded) filter (where l.is_queue_goods), 0),
    case
      when sum(l.quantity - l.refunded) = 0 then 2
      when exists (select from refunds as r where r.is_requested and not coalesce(r.is_decided, false)) then 1
      when exists (select from refunds as r where app.is_paid_back(r.state) and r.is_decided) then 3
      else 0
    end
  from lines as l
$$;

comment on function app.order_at is
  'Returns what was left of an order''s queue goods, and its refund status, after all requests and decisions up to '
  'p_position. With p_by_time: up to (p_at, p_position), by time and then by position.';

-- Before batches were stored, the time of a settlement names its call: all orders of a call have the same.
create or replace function app.paid_positions()
returns table (order_id bigint, settled_at timestamptz, "position" bigint, paid_position bigint)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with numbered as materialized (
    select
      s.order_id, s.settled_at, s.batch, s.position,
      row_number() over (partition by s.settled_at, s.batch order by s.position) as by_position,
      row_number() over (partition by s.settled_at, s.batch order by o.paid_at, o.id) as by_payment
    from app.settlements as s
    join app.orders as o on o.id = s.order_id
    where s.state <> 'imported'
  )
  select n.order_id, n.settled_at, n.position, p.position
  from numbered as n
  join numbered as p on p.settled_at = n.settled_at and p.batch is not distinct from n.batch
    and p.by_position = n.by_payment
  where n.by_position <> n.by_payment
$$;

comment on function app.paid_positions is
  'Returns the orders that their batch did not settle in the sequence of payments: their position, and the one that '
  'this sequence would give them (paid_position).';
