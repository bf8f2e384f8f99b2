-- Takes no locks. A concurrent payment takes the newest plan that it sees.
-- Raises: invalid_argument, plan_invalid with the reason.
-- Idempotent: a plan equal to the one in force makes no new version.
create or replace function app.create_plan(p_plan jsonb, p_created_by uuid, p_now timestamptz)
returns app.commission_plans
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_old app.commission_plans;
  v_new app.commission_plans;
begin
  perform app.require_time(p_now);
  v_new := app.draft_plan(p_plan);
  select p.* into v_old from app.commission_plans as p where p.version = v_new.version;
  if to_jsonb(v_new) = to_jsonb(v_old) then
    return v_old;
  end if;
  insert into app.commission_plans (
    people_per_cycle, tier_ratios, brokerage_scope, brokerage_timing, points_per_brokerage, max_depth, payout_cap,
    minimum_base, holding_days, created_by, created_at
  )
  values (
    v_new.people_per_cycle, v_new.tier_ratios, v_new.brokerage_scope, v_new.brokerage_timing, v_new.points_per_brokerage,
    v_new.max_depth, v_new.payout_cap, v_new.minimum_base, v_new.holding_days, p_created_by, p_now
  )
  returning * into v_new;
  return v_new;
end
$$;

comment on function app.create_plan is
  'Makes a new version of the commission plan, in force at once, and returns it. Settings that p_plan leaves out keep their '
  'values. Open cycles keep their plan. Keys: people_per_cycle, tier_ratios, brokerage_scope, brokerage_timing, '
  'points_per_brokerage, max_depth, payout_cap, minimum_base, holding_days.';
