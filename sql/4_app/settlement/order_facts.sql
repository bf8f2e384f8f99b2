-- What the rules know of orders (see the type). p_uids: sorted, as the members in the state are.
-- Callers: settle_orders, umbrella_earners. Reads nothing but its arguments.
create or replace function app.order_facts(p_orders app.orders[], p_uids bigint[], p_plan_in_force integer)
returns app.order_facts[]
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  return array(
    select (
      'settle', o.id, width_bucket(o.uid, p_uids), o.uid, o.referrer_uid, o.plan_version, p_plan_in_force, o.paid_at, o.queue_base, o.queue_units,
      app.barring_reason(o.queue_units, o.queue_base, o.below_minimum, o.referrer_uid),
      app.is_counted(o.queue_units, o.refund_status, o.below_minimum)
    )::app.order_facts
    from unnest(p_orders) with ordinality as o
    order by o.ordinality
  );
end
$$;
