create or replace function app.checkout_entry(p_order app.orders, p_points numeric)
returns app.bill_entry
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select (
    p_order.uid, case when p_points < 0 then 'points_spent' else 'points_returned' end, 'checkout', 0, 0, p_points, p_order.id,
    case when p_points < 0 then p_order.paid_by_points end, case when p_points < 0 then p_order.points_spent / p_order.paid_by_points end,
    null, null, null, null, null
  )::app.bill_entry
$$;

comment on function app.checkout_entry is
  'Returns the bill entry for points that an order takes (negative) or returns. An entry that takes points states as basis the money that '
  'they pay, and as rate the points for 1.00. An entry that returns points states neither.';
