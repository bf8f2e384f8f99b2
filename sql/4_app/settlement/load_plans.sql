-- Plans with these versions as an array whose index is the version; null where a version is not asked for.
-- Callers: load_state, umbrella_earners, restore_state, settlement_differences, simulate. Reads only.
create or replace function app.load_plans(p_versions integer[])
returns app.commission_plans[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_plan app.commission_plans;
  v_plans app.commission_plans[];
begin
  for v_plan in select p.* from app.commission_plans as p where p.version = any (p_versions) order by p.version desc loop
    v_plans[v_plan.version] := v_plan;
  end loop;
  return v_plans;
end
$$;
