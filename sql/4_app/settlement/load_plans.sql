create or replace function app.load_plans(p_versions integer[])
returns app.commission_plans[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_version integer;
  v_plans app.commission_plans[];
begin
  foreach v_version in array p_versions loop
    if v_version is not null and v_plans[v_version].version is null then
      v_plans[v_version] := (select p from app.commission_plans as p where p.version = v_version);
    end if;
  end loop;
  return v_plans;
end
$$;

comment on function app.load_plans is
  'Returns the plans with these versions as an array whose index is the version; other elements are null.';
