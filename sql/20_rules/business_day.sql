-- The business day of a moment, in the time zone of the settings.
-- Callers: release_frozen_points, get_assets_overview. Raises: nothing. Reads only.
create or replace function app.business_day(p_at timestamptz)
returns date
language sql
stable
set search_path = ''
as $$
  select (p_at at time zone s.time_zone)::date from app.settings as s
$$;

grant execute on function app.business_day(timestamptz) to authenticated, store_admin;
