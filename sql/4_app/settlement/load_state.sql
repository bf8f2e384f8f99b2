-- Step one of the engine: takes the locks of the balance rows and then reads all that decisions about these members need, in a
-- fixed number of statements whatever their number. p_orders are those to be settled, if any; p_also names members whose rows
-- are written whatever the levels say (whoever an order has paid). p_locks: false only reads, for a preview.
-- Callers: settle_orders, load_refund, set_no_assess, bind_spread.
-- Locks: the caller holds the structure and the orders; balances by uid. Raises: nothing.
create or replace function app.load_state(
  p_uids bigint[], p_orders app.orders[] default '{}', p_also bigint[] default '{}', p_locks boolean default true
)
returns app.engine_state
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_state app.engine_state;
  v_upline record;
  v_read record;
  v_earners bigint[];
  v_scopes text[];
begin
  select l.version, app.level_rules(l.levels) into v_state.level_version, v_state.levels
  from app.level_versions as l order by l.version desc limit 1;
  v_state.plan_in_force := app.active_plan_version();
  v_upline := app.upline_of(p_uids, v_state.levels);

  if cardinality(p_orders) > 0 then
    v_scopes := array(
      select p.brokerage_scope from app.commission_plans as p where p.version = any (array(select o.plan_version from unnest(p_orders) as o))
    );
    -- With scope direct only referrers earn; with scope umbrella it may be anyone above.
    v_earners := case when 'umbrella' = any (v_scopes) then v_upline.uids else array(select o.referrer_uid from unnest(p_orders) as o) end;
  end if;
  v_earners := v_earners || p_also;
  v_state.locked := v_upline.written || p_also;
  if 'umbrella' = any (v_scopes) then
    v_state.locked := v_state.locked || app.umbrella_earners(p_orders, v_upline.uids, v_earners);
  end if;
  if p_locks then
    perform app.lock_balances(v_state.locked);
  end if;

  v_read := app.read_members(v_upline.uids, v_earners);
  v_state.members := v_read.members;
  v_state.cycles := v_read.cycles;
  v_state.plans := app.load_plans(
    array(select o.plan_version from unnest(p_orders) as o) || array(select c.plan_version from unnest(v_state.cycles) as c)
      || v_state.plan_in_force
  );
  return v_state;
end
$$;
