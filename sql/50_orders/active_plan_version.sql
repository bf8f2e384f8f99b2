-- The plan version in force now: the newest. Callers: pay_order, brokerage_progress, get_brokerage_config.
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

grant execute on function app.active_plan_version() to authenticated, store_admin;
