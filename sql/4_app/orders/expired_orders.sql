-- With the first two conditions, an index limits the orders that are read.
create or replace function app.expired_orders(p_now timestamptz)
returns bigint[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return array(
    select o.id
    from app.orders as o
    where o.state = 'unpaid'
      and o.add_time <= p_now - (
        select least(make_interval(mins => s.order_expiry_minutes), make_interval(days => s.offline_payment_days)) from app.settings as s
      )
      and app.order_expires_at(o) <= p_now
    order by o.id
  );
end
$$;

comment on function app.expired_orders is 'Returns the unpaid orders that are past their expiry time, by id.';
