-- Raises: unique_violation if an order is settled already.
create or replace function app.book_settlements(p_settlements app.settlements[], p_level_version integer, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  insert into app.settlements (
    order_id, position, state, uid, referrer_uid, order_plan_version, level_version, plan_in_force, brokerage_scope, base, units,
    earner_uid, eligible_since, cycle_no, place, cycle_plan_version, ratio, rate, commission, commission_points, reason, settled_at
  )
  select
    s.order_id, nextval('app.positions'), s.state, s.uid, s.referrer_uid, s.order_plan_version, p_level_version, s.plan_in_force,
    s.brokerage_scope, s.base, s.units, s.earner_uid, s.eligible_since, s.cycle_no, s.place, s.cycle_plan_version, s.ratio, s.rate,
    s.commission, s.commission_points, s.reason, p_now
  from unnest(p_settlements) as s;
end
$$;

comment on function app.book_settlements is 'Inserts settlements as decided, in the given sequence, each with the next position.';
