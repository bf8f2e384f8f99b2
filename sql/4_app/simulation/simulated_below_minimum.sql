create or replace function app.simulated_below_minimum(p_order app.orders, p_from timestamptz, p_plan app.commission_plans)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case
    when p_plan.version is null or p_order.paid_at < p_from then p_order.below_minimum
    else app.is_below_minimum(
      (select sum(l.paid) from app.order_lines as l where l.order_id = p_order.id and l.is_queue_goods), p_plan.minimum_base
    )
  end
$$;

comment on function app.simulated_below_minimum is
  'Returns whether the base of an order at payment was below the minimum base of its plan, or of the draft plan if that '
  'applies to the order.';
