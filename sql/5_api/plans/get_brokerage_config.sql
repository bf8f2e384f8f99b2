-- Raises: forbidden.
create or replace function api.get_brokerage_config()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    select app.plan_json(p) || jsonb_build_object('versions', (
      select jsonb_agg(app.plan_json(v) order by v.version desc)
      from (select * from app.commission_plans as a order by a.version desc limit 20) as v
    ))
    from app.commission_plans as p
    where p.version = app.active_plan_version()
  );
end
$$;

comment on function api.get_brokerage_config is
  'Returns the commission plan in force and the latest twenty versions with the administrators who created them. Serves GET '
  '/adminapi/hjf/brokerage/config.';

grant execute on function api.get_brokerage_config() to store_admin;
