-- With the first two conditions, an index limits the orders that are read.
create or replace function app.orders_to_receive(p_now timestamptz)
returns bigint[]
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select array(
    select o.id
    from app.orders as o
    where o.state = 'delivered' and o.delivered_at <= p_now - (select make_interval(days => s.receipt_days) from app.settings as s)
      and app.is_to_be_received(o, p_now)
    order by o.id
  )
$$;

comment on function app.orders_to_receive is 'Returns the orders whose receipt is to be confirmed automatically, by id.';
