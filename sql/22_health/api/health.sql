-- What clients may call about health, metrics and the clock.

-- Locks: the one row of function_settings.
-- Idempotent: a repeated report changes nothing until an hour has passed.
create or replace function api.report_function_settings(p_project_url text, p_functions_url text, p_variables jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_project_url is null or p_functions_url is null or jsonb_typeof(p_variables) is distinct from 'array' then
    perform app.fail('invalid_argument', 'The addresses and the names of the variables are required.');
  end if;
  insert into app.function_settings as f (project_url, functions_url, variables, reported_at)
  values (
    p_project_url, p_functions_url,
    array(
      select v.name #>> '{}' from jsonb_array_elements(p_variables) as v (name) where jsonb_typeof(v.name) = 'string'
      order by v.name
    ),
    clock_timestamp()
  )
  on conflict (id) do update
    set project_url = excluded.project_url, functions_url = excluded.functions_url, variables = excluded.variables,
      reported_at = excluded.reported_at
    where (f.project_url, f.functions_url, f.variables) is distinct from (
      excluded.project_url, excluded.functions_url, excluded.variables
    )
      or f.reported_at < excluded.reported_at - interval '1 hour';
  return jsonb_build_object('kept', found);
end
$$;

comment on function api.report_function_settings is
  'Stores the addresses of the edge functions and the names of their variables, never the values, for the '
  'configuration check. Raises invalid_argument.';

grant execute on function api.report_function_settings(text, text, jsonb) to service_role;

-- Locks: the one row of the clock, only where something changes.
-- Idempotent: see app.hear_clock.
create or replace function api.report_clock(p_clock timestamptz)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_time(p_clock);
  perform app.hear_clock(p_clock, clock_timestamp());
  return jsonb_build_object('clock', app.clock_state(clock_timestamp()));
end
$$;

comment on function api.report_clock is
  'Compares the clock of the database with that of an edge function, p_clock (app.hear_clock), and returns the state '
  'of the clock.';

grant execute on function api.report_clock(timestamptz) to service_role;

-- Security definer: the service may see these sums but not the tables of pg_cron behind them.
create or replace function api.get_metrics()
returns jsonb
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select to_jsonb(app.metrics_text(clock_timestamp()))
$$;

comment on function api.get_metrics is
  'Returns app.metrics_text as a JSON string. The edge function has checked the token of the monitoring system. '
  'Serves GET /adminapi/metrics.';

grant execute on function api.get_metrics() to service_role;

create or replace function api.get_system_metadata(p_version text, p_commit text default null)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'name', 'referral-commission-store', 'version', p_version, 'api_version', '1', 'commit', p_commit, 'site_name',
    s.site_name,
    'logo', s.logo, 'colour', s.colour, 'contact_phone', s.contact_phone, 'contact_wechat', s.contact_wechat,
    'contact_hours', s.contact_hours
  )
  from app.settings as s
$$;

comment on function api.get_system_metadata is
  'Returns the name, versions, site name, logo, colour and contact of this store. p_version and p_commit are those of '
  'the edge function. Serves GET /api/system/metadata.';

grant execute on function api.get_system_metadata(text, text) to anon, authenticated, store_admin;

-- Security definer: every role may see these sums but not the rows behind them.
create or replace function api.get_health()
returns jsonb
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select app.health_json(clock_timestamp())
$$;

comment on function api.get_health is
  'Returns the health of the background work (app.health_json). Serves GET /api/health.';

grant execute on function api.get_health() to anon, authenticated, store_admin;

-- Security definer: client roles may not read the migration history.
create or replace function api.admin_get_system_metadata(p_version text, p_runtime text, p_commit text default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_migration text;
begin
  perform app.require_admin();
  if to_regclass('supabase_migrations.schema_migrations') is not null then
    execute 'select max(version) from supabase_migrations.schema_migrations' into v_migration;
  end if;
  return api.get_system_metadata(p_version, p_commit) || api.get_health() || jsonb_build_object(
    'runtime', p_runtime, 'database_version', current_setting('server_version'), 'migration', v_migration
  );
end
$$;

comment on function api.admin_get_system_metadata is
  'Returns the public metadata and health with the versions of runtime, database and schema. '
  'Serves GET /adminapi/system/metadata.';

grant execute on function api.admin_get_system_metadata(text, text, text) to store_admin;
