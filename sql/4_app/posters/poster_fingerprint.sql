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

comment on function app.poster_fingerprint is
  'Returns a hash of everything that a member''s poster shows. A poster with another fingerprint is out of date. p_template is '
  'the version of the layout, p_code the mini-program code or null.';
