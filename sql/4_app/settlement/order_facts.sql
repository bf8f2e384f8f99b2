-- Has no set clause, which would cost time in every call.
create or replace function app.order_facts(p_orders app.orders[], p_members app.tree_member[], p_plan_in_force integer)
returns app.order_facts[]
language plpgsql
immutable
as $$
begin
  return array(
    select (
      'settle', o.id, pg_catalog.width_bucket(o.uid, array(select m.uid from pg_catalog.unnest(p_members) as m)), o.uid, o.referrer_uid,
      o.plan_version, p_plan_in_force, o.paid_at, o.queue_base, o.queue_units,
      app.barring_reason(o.queue_units, o.queue_base, o.below_minimum, o.referrer_uid, o.is_imported),
      app.is_counted(o.queue_units, o.refund_status, o.below_minimum)
    )::app.order_facts
    from pg_catalog.unnest(p_orders) with ordinality as o
    order by o.ordinality
  );
end
$$;

comment on function app.order_facts is
  'Returns what the rules need to know of orders (see the type). p_members is sorted by uid, like the members of the state.';
