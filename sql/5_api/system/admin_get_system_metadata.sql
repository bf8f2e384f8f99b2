-- Security definer: client roles may not read the migration history.
-- Raises: forbidden.
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
