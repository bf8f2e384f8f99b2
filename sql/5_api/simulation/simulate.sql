-- POST /adminapi/hjf/simulate: a draft plan or draft levels replayed over the orders of a past period; see app.simulate.
-- Security definer: it decides from tables that no client role reads. Stable, so the database itself keeps it from writing. Raises: forbidden and what app.simulate raises. Changes nothing.
create or replace function api.simulate(p_from timestamptz, p_to timestamptz, p_plan jsonb default null, p_levels jsonb default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return app.simulate(p_plan, p_levels, p_from, p_to, 5000);
end
$$;

grant execute on function api.simulate(timestamptz, timestamptz, jsonb, jsonb) to store_admin;
