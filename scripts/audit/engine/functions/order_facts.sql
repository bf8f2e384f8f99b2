CREATE OR REPLACE FUNCTION app.order_facts(p_orders app.orders[], p_members app.tree_member[], p_plan_in_force integer)
 RETURNS app.order_facts[]
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
  return array(
    select app.new_facts(
      'settle', pg_catalog.width_bucket(o.uid, array(select m.uid from pg_catalog.unnest(p_members) as m order by m.uid)), o.id, o.uid, o.referrer_uid,
      o.plan_version, p_plan_in_force, o.paid_at, o.queue_base, o.queue_units,
      p_reason => app.barring_reason(o.queue_units, o.queue_base, o.below_minimum, o.referrer_uid, o.is_imported),
      p_is_counted => app.is_counted(o.queue_units, o.refund_status, o.below_minimum)
    )
    from pg_catalog.unnest(p_orders) with ordinality as o
    order by o.ordinality
  );
end
$function$
