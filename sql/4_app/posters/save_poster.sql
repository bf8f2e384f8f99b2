-- Locks: the poster.
-- Raises: user_not_found.
-- Idempotent, also for concurrent calls: the first code stays.
create or replace function app.save_poster(p_uid bigint, p_template text, p_code_source text, p_code bytea, p_now timestamptz)
returns app.posters
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_poster app.posters;
  v_code bytea;
  v_fingerprint text;
begin
  if not exists (select from app.users as u where u.uid = p_uid) then
    perform app.fail('user_not_found');
  end if;
  -- A row that concurrent calls can lock.
  insert into app.posters (uid, token, fingerprint, share_url, made_at)
  values (p_uid, gen_random_uuid(), '', '', p_now) on conflict do nothing;
  select p.* into v_poster from app.posters as p where p.uid = p_uid for update;

  v_code := coalesce(case when v_poster.code_source = p_code_source then v_poster.code end, p_code);
  v_fingerprint := app.poster_fingerprint(p_uid, p_template, v_code);
  if v_fingerprint <> v_poster.fingerprint then
    update app.posters set token = gen_random_uuid(), image = null, made_at = p_now where uid = p_uid;
  end if;
  update app.posters
  set
    fingerprint = v_fingerprint, share_url = app.share_url(p_uid), code_source = p_code_source, code = v_code,
    retry_at = case when v_code is null and p_code_source is not null then p_now + interval '10 minutes' end
  where uid = p_uid
  returning * into v_poster;
  return v_poster;
end
$$;

comment on function app.save_poster is
  'Creates or updates the poster of a member and returns it. It keeps a mini-program code that it already has from '
  'p_code_source, and otherwise takes p_code, which can be null. A poster that shows the same as before keeps its token and '
  'picture. If p_code_source gave no code, the next attempt is at least ten minutes later.';
