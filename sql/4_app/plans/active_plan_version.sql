-- The plan version in force now: the newest. Callers: pay_order, get_brokerage_config, checks of the plan.
-- In plpgsql because its plan is kept: see get_upline.
create or replace function app.active_plan_version()
returns integer
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (select max(p.version) from app.commission_plans as p);
end
$$;

grant execute on function app.active_plan_version() to store_admin;
