-- Security definer: members may not read app.posters.
-- Raises: unauthenticated.
create or replace function api.get_poster(p_template text, p_code_source text default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_poster app.posters;
  v_same_source boolean;
  v_current boolean;
begin
  select p.* into v_poster from app.posters as p where p.uid = v_uid;
  v_same_source := coalesce(v_poster.code_source = p_code_source, v_poster.code_source is null and p_code_source is null);
  v_current := v_poster.uid is not null and v_same_source
    and v_poster.fingerprint = app.poster_fingerprint(v_uid, p_template, v_poster.code);
  return jsonb_build_object(
    'uid', v_uid,
    'poster', case when v_current then app.poster_json(v_poster) end,
    'wants_code', p_code_source is not null
      and (not v_same_source or (v_poster.code is null and coalesce(v_poster.retry_at <= clock_timestamp(), true)))
  );
end
$$;

comment on function api.get_poster is
  'Returns the caller''s poster if it is current, and whether the client should fetch a mini-program code (wants_code). '
  'p_code_source names the app and page that codes come from, or is null where none is configured. First step of GET '
  '/api/spread/poster.';

grant execute on function api.get_poster(text, text) to authenticated, store_admin;
