-- Precondition: the caller has locked the orders.
-- Raises: unique_violation if an order is settled already.
create or replace function app.book_maturities(
  p_orders app.orders[], p_settlements app.settlements[], p_plans app.commission_plans[], p_now timestamptz
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  insert into app.commission_maturities (order_id, uid, amount_left, matures_at)
  select s.order_id, s.earner_uid, s.commission, app.matures_at(o.received_at, p_now, p_plans[s.order_plan_version].holding_days)
  from unnest(p_settlements) as s
  join unnest(p_orders) as o on o.id = s.order_id
  where s.commission > 0;
end
$$;

comment on function app.book_maturities is
  'Records when the commission of settled orders matures, by the holding_days of the plan of each order.';
