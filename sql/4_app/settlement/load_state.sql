-- Precondition: the caller has locked the structure and the orders.
-- Locks: balances by uid.
create or replace function app.load_state(
  p_uids bigint[] default '{}', p_orders app.orders[] default '{}', p_also bigint[] default '{}', p_locks boolean default true
)
returns app.engine_state
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_state app.engine_state;
  v_orders record;
  v_upline record;
  v_read record;
  v_earners bigint[];
begin
  select l.version, l.rules, (select max(p.version) from app.commission_plans as p)
  into v_state.level_version, v_state.levels, v_state.plan_in_force
  from app.level_versions as l order by l.version desc limit 1;
  select
    array_agg(o.uid) as uids, array_agg(o.referrer_uid) as referrers, array_agg(o.plan_version) as plans,
    coalesce(bool_or(p.brokerage_scope = 'umbrella'), false) as are_umbrella
  into v_orders
  from unnest(p_orders) as o join app.commission_plans as p on p.version = o.plan_version;
  v_upline := app.upline_of(p_uids || v_orders.uids, v_state.levels);

  -- With scope direct, only referrers can earn; with scope umbrella, any member of the upline can.
  v_earners := case when v_orders.are_umbrella then v_upline.uids else v_orders.referrers end || p_also;
  v_state.locked := v_upline.written || p_also;
  if v_orders.are_umbrella then
    v_state.locked := v_state.locked || app.umbrella_earners(p_orders, v_upline.uids, v_earners);
  end if;
  if p_locks then
    perform app.lock_balances(v_state.locked);
  end if;

  v_read := app.read_members(v_upline.uids, v_earners);
  v_state.members := v_read.members;
  v_state.cycles := v_read.cycles;
  v_state.plans := app.load_plans(v_orders.plans || v_read.plans || v_state.plan_in_force);
  return v_state;
end
$$;

comment on function app.load_state is
  'Locks the balances that decisions about these members may write, and then reads all that the decisions need (the first step '
  'of the engine). p_orders are the orders to settle, if any; p_uids are members besides their buyers; p_also are further '
  'members to lock, such as those that a refunded order has paid. With p_locks false it only reads.';
