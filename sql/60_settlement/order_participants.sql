-- The members whose rows the settlement of an order locks: the buyer, everyone who may be paid, and everyone whose
-- counters change. Asked before the locks are taken, so it names those who would be concerned as things stand.
-- Callers: settle_order, run_settlement_jobs, refund_participants. Reads only; the caller holds the structure lock.
-- In plpgsql with the generic plan, which is kept: see get_upline.
create or replace function app.order_participants(p_order app.orders)
returns bigint[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  v_uids bigint[];
  v_plan app.commission_plans;
begin
  v_uids := array(
    select s.uid
    from app.upline_shares(p_order.uid) as s
    where s.depth = 1 or s.is_below_top or s.umbrella_points > s.passed_on
  ) || p_order.uid;
  select p.* into v_plan from app.commission_plans as p where p.version = p_order.plan_version;
  -- With scope direct the earner is the referrer, who is named anyway.
  if v_plan.brokerage_scope = 'umbrella' then
    v_uids := array_remove(v_uids || app.find_earner(p_order, v_plan.brokerage_scope, v_plan.max_depth), null);
  end if;
  return v_uids;
end
$$;
