-- What administrators may call about counts of tasks, and drafts over a past period.

-- Security definer: client roles may not execute the functions that walk the downline.
create or replace function api.get_count_audit(p_uid bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return app.audit_counts(p_uid);
end
$$;

comment on function api.get_count_audit is
  'Returns a member''s task counts order by order (app.audit_counts). Serves GET '
  '/adminapi/hjf/member/{uid}/count_audit.';

grant execute on function api.get_count_audit(bigint) to store_admin;

-- Security definer: client roles may not execute the functions of the engine.
-- Stable: Postgres itself prevents writes.
-- A simulation writes nothing, so one that is cut leaves nothing to continue; `npm run simulate` has no time limit.
create or replace function api.simulate(
  p_from timestamptz, p_to timestamptz, p_plan jsonb default null, p_levels jsonb default null
)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return app.simulate(p_plan, p_levels, p_from, p_to, 5000);
exception when query_canceled then
  perform app.fail(
    'simulation_too_large', 'Replaying these orders takes longer than a request may take. Choose a shorter period.'
  );
end
$$;

comment on function api.simulate is
  'Simulates a draft plan or draft levels over the orders of a past period (app.simulate). Raises '
  'simulation_too_large if that takes longer than a request may. Serves POST /adminapi/hjf/simulate.';

grant execute on function api.simulate(timestamptz, timestamptz, jsonb, jsonb) to store_admin;
