create or replace function api.get_system_metadata(p_version text, p_commit text default null)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'name', 'referral-commission-store', 'version', p_version, 'api_version', '1', 'commit', p_commit, 'site_name', s.site_name,
    'logo', s.logo, 'colour', s.colour
  )
  from app.settings as s
$$;

comment on function api.get_system_metadata is
  'Returns the name, versions, site name, logo and colour of this store. p_version and p_commit are those of the edge function. Serves GET '
  '/api/system/metadata.';

grant execute on function api.get_system_metadata(text, text) to anon, authenticated, store_admin;
