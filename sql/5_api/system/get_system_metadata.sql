-- GET /api/system/metadata: local system metadata in place of the former copyright data; version and commit are what
-- the edge function says of itself.
create or replace function api.get_system_metadata(p_version text, p_commit text default null)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'name', 'referral-commission-store', 'version', p_version, 'api_version', '1', 'commit', p_commit, 'site_name', s.site_name
  )
  from app.settings as s
$$;

grant execute on function api.get_system_metadata(text, text) to anon, authenticated, store_admin;
