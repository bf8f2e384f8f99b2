-- GET /adminapi/system/settings: the local settings.
create or replace function api.get_settings()
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'time_zone', s.time_zone, 'site_name', s.site_name, 'h5_share_url', s.h5_share_url, 'updated_at', app.utc(s.updated_at)
  )
  from app.settings as s
$$;

grant execute on function api.get_settings() to store_admin;
