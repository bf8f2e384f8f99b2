create or replace function app.share_url(p_uid bigint)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select s.h5_share_url || case when strpos(s.h5_share_url, '?') > 0 then '&' else '?' end || 'spread=' || p_uid
  from app.settings as s
$$;

comment on function app.share_url is
  'Returns the H5 share link of a member: <h5_share_url>?spread=<uid>, or with & if the address already has a query.';
