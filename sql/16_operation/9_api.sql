-- What clients may call about health, metrics and their own data.

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
  'Compares the clock of the database with that of an edge function, p_clock, and returns the state of the clock. The worker calls it first, '
  'and the edge function api when it starts.';

grant execute on function api.report_clock(timestamptz) to service_role;

-- Security definer: client roles cannot read addresses, payout accounts and WeChat ids.
create or replace function api.export_member(p_uid bigint, p_cursor text default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin('money');
  return app.export_member(p_uid, p_cursor);
end
$$;

comment on function api.export_member is
  'Returns the next part of everything that the store knows about a member (app.export_member). Serves GET /adminapi/user/{uid}/export.';

grant execute on function api.export_member(bigint, text) to store_admin;

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
  'Returns the metrics of the store in the text format of Prometheus, as a JSON string. The edge function has checked the token of the '
  'monitoring system. Serves GET /adminapi/metrics.';

grant execute on function api.get_metrics() to service_role;

create or replace function api.get_system_metadata(p_version text, p_commit text default null)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'name', 'referral-commission-store', 'version', p_version, 'api_version', '1', 'commit', p_commit, 'site_name', s.site_name,
    'logo', s.logo, 'colour', s.colour, 'contact_phone', s.contact_phone, 'contact_wechat', s.contact_wechat, 'contact_hours', s.contact_hours
  )
  from app.settings as s
$$;

comment on function api.get_system_metadata is
  'Returns the name, versions, site name, logo, colour and contact of this store. p_version and p_commit are those of the edge function. Serves GET '
  '/api/system/metadata.';

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
  'Returns the state of the settlement jobs, the latest release and the status. status is degraded if an order could not be '
  'settled, a job is due for more than five minutes, no scheduler runs the jobs, the clock may be wrong, or the database is not as installed. Serves GET /api/health.';

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
  'Returns the public metadata and health with the versions of runtime, database and schema. Serves GET '
  '/adminapi/system/metadata.';

grant execute on function api.admin_get_system_metadata(text, text, text) to store_admin;
