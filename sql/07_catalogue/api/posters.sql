-- What clients may call about share links and posters: who invites, then the poster and its address, then the drawing
-- and its picture.

-- Locks: the count of the address.
-- Not idempotent: each call counts.
create or replace function api.find_inviter(p_uid bigint, p_code uuid, p_address text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.count_asked_name(p_address, clock_timestamp());
  return (
    select jsonb_build_object('uid', u.uid, 'nickname', u.nickname)
    from app.users as u where u.uid = p_uid and u.share_code = p_code and u.auth_id is not null
  );
end
$$;

comment on function api.find_inviter is
  'Returns {uid, nickname} of the member whose share link has this uid and code, or null. p_address is that of the '
  'caller. Serves GET /api/spread/inviter.';

grant execute on function api.find_inviter(bigint, uuid, text) to service_role;

-- Security definer: members may not read app.posters.
create or replace function api.get_poster(
  p_template text, p_code_source text default null, p_product_id bigint default 0
)
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
  perform app.require_poster_product(p_product_id);
  select p.* into v_poster from app.posters as p where p.uid = v_uid and p.product_id = p_product_id;
  v_same_source := coalesce(
    v_poster.code_source = p_code_source, v_poster.code_source is null and p_code_source is null
  );
  v_current := v_poster.uid is not null and v_same_source
    and v_poster.fingerprint = app.poster_fingerprint(v_uid, p_product_id, p_template, v_poster.code);
  return jsonb_build_object(
    'uid', v_uid,
    'poster', case when v_current then app.poster_json(v_poster) end,
    'wants_code', p_code_source is not null
      and (not v_same_source or (v_poster.code is null and coalesce(v_poster.retry_at <= clock_timestamp(), true)))
  );
end
$$;

comment on function api.get_poster is
  'Returns {uid, poster, wants_code}: the caller''s poster if it is current, and whether to fetch a mini-program code. '
  'p_code_source is its app and page, null for none. First step of GET /api/spread/poster.';

grant execute on function api.get_poster(text, text, bigint) to authenticated, store_admin;

-- Idempotent: the first code that arrives from a source stays.
create or replace function api.save_poster(
  p_uid bigint, p_template text, p_code_source text default null, p_code text default null,
  p_product_id bigint default 0
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.poster_json(
    app.save_poster(p_uid, p_product_id, p_template, p_code_source, decode(p_code, 'base64'), clock_timestamp())
  );
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the poster is missing, not base64 or too large.');
end
$$;

comment on function api.save_poster is
  'Creates or updates a poster of a member and returns it. p_code is base64. Second step of GET /api/spread/poster, if '
  'get_poster returned no poster or asked for a code.';

grant execute on function api.save_poster(bigint, text, text, text, bigint) to service_role;

-- Locks: the poster, so that one of several concurrent calls draws; then the count of its member.
-- Not idempotent: a second call within ten seconds returns null. That is longer than a drawing takes.
create or replace function api.claim_drawing(p_token uuid)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_poster app.posters;
begin
  update app.posters as p set drawing_until = v_now + interval '10 seconds'
  where p.token = p_token and p.image is null and coalesce(p.drawing_until <= v_now, true)
  returning p.* into v_poster;
  if not found then
    return null;
  end if;
  perform app.use_quota(v_poster.uid, 'poster', v_now);
  return app.poster_content(v_poster.uid, v_poster.product_id)
    || jsonb_build_object('code', translate(encode(v_poster.code, 'base64'), E'\n', ''));
end
$$;

comment on function api.claim_drawing is
  'Returns what to draw a poster from, to one caller within ten seconds, who stores the picture. Null if it is drawn '
  'or being drawn. Second step of GET /poster/image/{file}.';

grant execute on function api.claim_drawing(uuid) to service_role;

-- Idempotent: the same picture is stored again.
create or replace function api.save_poster_picture(p_token uuid, p_image text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update app.posters set image = decode(p_image, 'base64'), made_at = clock_timestamp() where token = p_token;
  return jsonb_build_object('kept', found);
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'The picture is not base64 or too large.');
end
$$;

comment on function api.save_poster_picture is
  'Stores the drawn picture of a poster, given as base64: {kept}, false if the poster has another token now.';

grant execute on function api.save_poster_picture(uuid, text) to service_role;

-- Security definer: the token alone decides which poster is read; policies would add nothing.
create or replace function api.get_poster_picture(p_token uuid)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result jsonb;
begin
  select jsonb_build_object('image', translate(encode(p.image, 'base64'), E'\n', '')) into v_result
  from app.posters as p where p.token = p_token;
  if v_result is null then
    perform app.fail('poster_not_found');
  end if;
  return v_result;
end
$$;

comment on function api.get_poster_picture is
  'Returns the picture of a poster as base64: {image}, null until it is drawn. Serves GET /poster/image/{file}.';

grant execute on function api.get_poster_picture(uuid) to service_role;
