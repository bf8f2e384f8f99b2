-- The business day of a moment, in the time zone of the settings.
-- Callers: release_frozen_points, get_assets_overview. Raises: nothing. Reads only.
-- In plpgsql because its plan is kept: see get_upline.
create or replace function app.business_day(p_at timestamptz)
returns date
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (select (p_at at time zone s.time_zone)::date from app.settings as s);
end
$$;

grant execute on function app.business_day(timestamptz) to store_admin;
