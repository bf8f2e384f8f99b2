-- Locks: the row of app.settings.
-- Raises: invalid_argument.
-- Idempotent: setting the current values has no further effect.
create or replace function app.set_settings(
  p_time_zone text, p_site_name text, p_h5_share_url text, p_max_unpaid_orders integer, p_logo text, p_colour text, p_now timestamptz
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_time_zone is not null and not exists (select from pg_catalog.pg_timezone_names as z where z.name = p_time_zone) then
    perform app.fail('invalid_argument', 'There is no time zone of this name. Use a name such as Asia/Shanghai.', '/time_zone');
  elsif char_length(p_site_name) > 100 or not app.is_visible(p_site_name) then
    perform app.fail('invalid_argument', 'The store name must have 1 to 100 characters and must not be blank.', '/site_name');
  elsif not app.is_web_address(p_h5_share_url) or char_length(p_h5_share_url) > 500 then
    perform app.fail('invalid_argument', 'The share link URL must begin with http:// or https://.', '/h5_share_url');
  elsif p_max_unpaid_orders not between 1 and 1000 then
    perform app.fail('invalid_argument', 'The unpaid order limit must be between 1 and 1000.', '/max_unpaid_orders');
  elsif p_logo <> '' and (not app.is_web_address(p_logo) or char_length(p_logo) > 1000) then
    perform app.fail('invalid_argument', 'The URL of the logo must begin with http:// or https://.', '/logo');
  elsif p_colour !~ '^#[0-9a-fA-F]{6}$' then
    perform app.fail('invalid_argument', 'The colour must be # and six hexadecimal digits, such as #c8102e.', '/colour');
  end if;
  update app.settings as s
  set time_zone = coalesce(p_time_zone, s.time_zone), site_name = coalesce(p_site_name, s.site_name),
      h5_share_url = coalesce(p_h5_share_url, s.h5_share_url),
      max_unpaid_orders = coalesce(p_max_unpaid_orders, s.max_unpaid_orders),
      logo = case when p_logo is null then s.logo else nullif(p_logo, '') end, colour = coalesce(lower(p_colour), s.colour), updated_at = p_now
  where s.id;
  perform app.apply_schedule(p_now) where p_time_zone is not null;
end
$$;

comment on function app.set_settings is
  'Changes the settings of the store. A null argument leaves its setting unchanged; an empty logo removes it. A new time zone is applied to the pg_cron '
  'schedule at once, and business days follow it from then on. Days that were released stay released.';
