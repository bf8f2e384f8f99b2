-- What administrators and the schedule call to check the configuration.

-- Without the test orders, which would use up numbers of orders.
-- Idempotent: a repeated check replaces the result.
create or replace function app.check_settings()
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  insert into app.settings_checks as c (checked_at, findings)
  select clock_timestamp(),
    coalesce(array_agg(concat_ws(' ', v.check_id, v.subject) order by v.check_id, v.subject), '{}')
  from app.verify_settings() as v where v.severity in ('error', 'warning')
  on conflict (id) do update set checked_at = excluded.checked_at, findings = excluded.findings
$$;

comment on function app.check_settings is
  'Runs app.verify_settings and stores which checks found an error or a warning, for what waits for administrators. A '
  'scheduled job.';

-- Security definer: the check runs test orders through internal functions and rolls them back.
create or replace function api.get_agent_config_report()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    select jsonb_build_object(
      'ok', bool_and(v.severity <> 'error'), 'list', jsonb_agg(to_jsonb(v) - 'ordinality' order by v.ordinality),
      'count', count(*)
    )
    from app.verify_agent_config() with ordinality as v
  );
end
$$;

comment on function api.get_agent_config_report is
  'Runs the configuration check (app.verify_agent_config) and returns its findings; ok is false if one of them is an '
  'error. Serves GET /adminapi/hjf/verify_agent_config.';

grant execute on function api.get_agent_config_report() to store_admin;

create or replace function api.get_reconcile_report()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    select jsonb_build_object(
      'finished_at', app.utc(r.finished_at), 'findings', coalesce(r.findings, 0), 'list', coalesce(r.sample, '[]'),
      'count', coalesce(jsonb_array_length(r.sample), 0)
    )
    from (values (true)) as one (id) left join app.last_reconcile() as r on true
  );
end
$$;

comment on function api.get_reconcile_report is
  'Returns the latest finished reconciliation with the number of its findings and the first hundred of them. '
  'finished_at is null before the first. Serves GET /adminapi/hjf/reconcile.';

grant execute on function api.get_reconcile_report() to store_admin;
