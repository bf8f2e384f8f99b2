SET local check_function_bodies = off;

ALTER TABLE "app"."agent_levels"
  DROP CONSTRAINT "name_is_a_short_text";

ALTER TABLE "app"."article_categories"
  DROP CONSTRAINT "title_is_a_short_text";

ALTER TABLE "app"."articles"
  DROP CONSTRAINT "title_is_a_short_text";

ALTER TABLE "app"."products"
  DROP CONSTRAINT "title_is_a_short_text";

ALTER TABLE "app"."settings"
  DROP CONSTRAINT "site_name_is_a_short_text";

CREATE OR REPLACE FUNCTION app.set_settings (
  p_time_zone    text,
  p_site_name    text,
  p_h5_share_url text,
  p_now          timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  if p_time_zone is not null and not exists (select from pg_catalog.pg_timezone_names as z where z.name = p_time_zone) then
    perform app.fail('invalid_argument', 'There is no time zone of this name; take one such as Asia/Shanghai.');
  elsif char_length(p_site_name) > 100 or p_site_name !~ '\S' then
    perform app.fail('invalid_argument', 'The name of the site has 1 to 100 characters, and not only blanks.');
  elsif p_h5_share_url !~ '^https?://[^[:space:]]+$' or char_length(p_h5_share_url) > 500 then
    perform app.fail('invalid_argument', 'The address of the share page begins with http:// or https://.');
  end if;
  update app.settings as s
  set time_zone = coalesce(p_time_zone, s.time_zone), site_name = coalesce(p_site_name, s.site_name),
      h5_share_url = coalesce(p_h5_share_url, s.h5_share_url), updated_at = p_now;
  perform app.apply_schedule(p_now) where p_time_zone is not null;
end
$function$;

ALTER TABLE "app"."agent_levels"
  ADD CONSTRAINT "name_is_a_short_text" CHECK (((char_length(name) <= 50) AND (name ~ '\S'::text) AND (char_length(name_zh) <= 50) AND (name_zh ~ '\S'::text)));

ALTER TABLE "app"."article_categories"
  ADD CONSTRAINT "title_is_a_short_text" CHECK (((char_length(title) <= 100) AND (title ~ '\S'::text)));

ALTER TABLE "app"."articles"
  ADD CONSTRAINT "title_is_a_short_text" CHECK (((char_length(title) <= 200) AND (title ~ '\S'::text)));

ALTER TABLE "app"."products"
  ADD CONSTRAINT "title_is_a_short_text" CHECK (((char_length(title) <= 200) AND (title ~ '\S'::text)));

ALTER TABLE "app"."settings"
  ADD CONSTRAINT "site_name_is_a_short_text" CHECK (((char_length(site_name) <= 100) AND (site_name ~ '\S'::text)));
