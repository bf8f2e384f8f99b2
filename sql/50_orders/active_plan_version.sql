-- The plan version in force now: the newest. Callers: pay_order, brokerage_progress, get_brokerage_config.
create or replace function app.active_plan_version()
returns integer
language sql
stable
set search_path = ''
as $$
  select max(p.version) from app.commission_plans as p
$$;

grant execute on function app.active_plan_version() to authenticated, store_admin;
