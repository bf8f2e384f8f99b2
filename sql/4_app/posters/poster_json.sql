create or replace function app.poster_json(p_poster app.posters)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'kind', case when p_poster.code is null then 'h5' else 'mini_program' end, 'share_url', p_poster.share_url, 'token', p_poster.token
  )
$$;

comment on function app.poster_json is 'Returns the poster of a member in the format of the API.';
