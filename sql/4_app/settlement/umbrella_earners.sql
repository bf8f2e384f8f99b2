create or replace function app.umbrella_earners(p_orders app.orders[], p_uids bigint[], p_earners bigint[])
returns bigint[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_read record := app.read_members(p_uids, p_earners);
  v_plans app.commission_plans[] := app.load_plans(array(select o.plan_version from unnest(p_orders) as o));
begin
  return array(
    select p_uids[app.find_earner(o, v_plans[o.plan_version], v_read.members, v_read.cycles)]
    from unnest(app.order_facts(p_orders, v_read.members, null)) as o
    where o.reason is null
  );
end
$$;

comment on function app.umbrella_earners is
  'Returns the members who would earn the commission of orders with scope umbrella by the current data. Nothing else in the '
  'settlement may write these members, so they are locked before the decision.';
