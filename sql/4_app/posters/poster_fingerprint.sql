-- Stands for everything that a member's poster shows, with a code or without; a poster that has another one is out of date.
-- p_template is the edition of the drawing. Callers: get_poster, save_poster.
create or replace function app.poster_fingerprint(p_uid bigint, p_template text, p_code bytea)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select encode(sha256(convert_to(
    jsonb_build_array(p_template, u.nickname, u.avatar, s.site_name, app.share_url(p_uid), encode(sha256(p_code), 'hex'))::text, 'UTF8'
  )), 'hex')
  from app.users as u cross join app.settings as s
  where u.uid = p_uid
$$;
