create or replace function app.order_expires_at(p_order app.orders)
returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case
    when p_order.state <> 'unpaid' or a.is_open then null
    when a.ended_at is not null then greatest(a.ended_at, s.lifecycle_from) + make_interval(mins => s.order_expiry_minutes)
    when s.offline_payment then greatest(p_order.add_time, s.lifecycle_from) + make_interval(days => s.offline_payment_days)
    else greatest(p_order.add_time, s.lifecycle_from) + make_interval(mins => s.order_expiry_minutes)
  end
  from app.settings as s
  cross join (
    select bool_or(p.state = 'open') as is_open, max(p.ended_at) as ended_at from app.payment_attempts as p where p.order_id = p_order.id
  ) as a
$$;

comment on function app.order_expires_at is
  'Returns when an unpaid order expires: order_expiry_minutes after its last payment attempt ended; without any attempt, '
  'offline_payment_days after it was placed, or order_expiry_minutes if members cannot pay offline. Null while an attempt is '
  'open: only the provider can say that it will not be paid.';

grant execute on function app.order_expires_at(app.orders) to store_admin;
