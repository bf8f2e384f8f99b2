create or replace function app.is_to_be_received(p_order app.orders, p_now timestamptz)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select p_order.state = 'delivered' and p_order.refund_status not in (1, 2)
    and greatest(p_order.delivered_at, s.lifecycle_from) <= p_now - make_interval(days => s.receipt_days)
  from app.settings as s
$$;

comment on function app.is_to_be_received is
  'Returns whether the receipt of an order is to be confirmed automatically: it was shipped at least receipt_days ago and has no '
  'open refund request.';
