-- Block range indexes find these rows: the tables grow in the order of time, and the indexes cost almost nothing when rows are written.
create or replace function app.orders_since(p_since timestamptz)
returns setof bigint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    select o.id from app.orders as o
    where o.add_time >= p_since or o.paid_at >= p_since or o.delivered_at >= p_since or o.received_at >= p_since or o.cancelled_at >= p_since
    union
    select s.order_id from app.settlements as s where s.settled_at >= p_since
    union
    select r.order_id from app.refunds as r where r.created_at >= p_since or r.decided_at >= p_since
    union
    select a.order_id from app.payment_attempts as a where a.add_time >= p_since or a.ended_at >= p_since;
end
$$;

comment on function app.orders_since is
  'Returns the orders to which anything has happened since p_since: placed, paid, sent, received, cancelled, settled, refunded, or an '
  'attempt to pay.';
