SET local check_function_bodies = off;

CREATE TABLE "app"."posters" (
  "uid"         bigint                   NOT NULL,
  "token"       uuid                     NOT NULL,
  "fingerprint" text                     NOT NULL,
  "share_url"   text                     NOT NULL,
  "code_source" text,
  "code"        bytea,
  "retry_at"    timestamp with time zone,
  "image"       bytea,
  "made_at"     timestamp with time zone NOT NULL,
  CONSTRAINT "a_code_has_a_source" CHECK (((code IS NULL) OR (code_source IS NOT NULL))),
  CONSTRAINT "pictures_are_small" CHECK (((octet_length(code) <= 307200) AND (octet_length(image) <= 307200))),
  CONSTRAINT "posters_pkey" PRIMARY KEY (uid),
  CONSTRAINT "posters_token_key" UNIQUE (token)
);

ALTER TABLE "app"."posters"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "app"."wechat_tokens" (
  "appid"        text                     NOT NULL,
  "access_token" text                     NOT NULL,
  "expires_at"   timestamp with time zone NOT NULL,
  CONSTRAINT "texts_are_short" CHECK (((char_length(appid) <= 64) AND (char_length(access_token) <= 1024))),
  CONSTRAINT "wechat_tokens_pkey" PRIMARY KEY (appid)
);

ALTER TABLE "app"."wechat_tokens"
  ENABLE ROW LEVEL SECURITY;

ALTER TABLE "app"."users"
  ADD COLUMN "avatar" text;

CREATE OR REPLACE FUNCTION api.get_poster (
  p_template    text,
  p_code_source text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION api.get_poster_picture (
  p_token uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_answer jsonb;
begin
  select case
    when p.image is not null then jsonb_build_object('image', translate(encode(p.image, 'base64'), E'\n', ''))
    else jsonb_build_object(
      'image', null, 'uid', p.uid, 'nickname', u.nickname, 'avatar', u.avatar, 'site_name', s.site_name,
      'share_url', p.share_url, 'code', translate(encode(p.code, 'base64'), E'\n', '')
    )
  end into v_answer
  from app.posters as p
  join app.users as u on u.uid = p.uid
  cross join app.settings as s
  where p.token = p_token;
  if v_answer is null then
    perform app.fail('poster_not_found');
  end if;
  return v_answer;
end
$function$;

CREATE OR REPLACE FUNCTION api.get_wechat_token (
  p_appid text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select to_jsonb(t.access_token) from app.wechat_tokens as t
  where t.appid = p_appid and t.expires_at > clock_timestamp() + interval '5 minutes'
$function$;

CREATE OR REPLACE FUNCTION api.save_poster (
  p_uid         bigint,
  p_template    text,
  p_code_source text   DEFAULT NULL::text,
  p_code        text   DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_poster app.posters := app.save_poster(p_uid, p_template, p_code_source, decode(p_code, 'base64'), clock_timestamp());
begin
  return app.poster_json(v_poster);
end
$function$;

CREATE OR REPLACE FUNCTION api.save_poster_picture (
  p_token uuid,
  p_image text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update app.posters set image = decode(p_image, 'base64') where token = p_token;
  return jsonb_build_object('kept', found);
end
$function$;

CREATE OR REPLACE FUNCTION api.save_wechat_token (
  p_appid        text,
  p_access_token text,
  p_expires_in   integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  insert into app.wechat_tokens (appid, access_token, expires_at)
  values (p_appid, p_access_token, clock_timestamp() + make_interval(secs => p_expires_in))
  on conflict (appid) do update set access_token = excluded.access_token, expires_at = excluded.expires_at;
  return '{}';
end
$function$;

CREATE OR REPLACE FUNCTION app.fail (
  p_code   text,
  p_detail text DEFAULT NULL::text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_status text := case p_code
    when 'unauthenticated' then '401'
    when 'forbidden' then '403'
    when 'order_not_found' then '404'
    when 'product_not_found' then '404'
    when 'user_not_found' then '404'
    when 'job_not_found' then '404'
    when 'refund_not_found' then '404'
    when 'poster_not_found' then '404'
    when 'order_state_conflict' then '409'
    when 'order_already_paid' then '409'
    when 'payment_reference_used' then '409'
    when 'spread_already_bound' then '409'
    when 'refund_state_conflict' then '409'
    when 'refund_reference_used' then '409'
    when 'invalid_argument' then '422'
    when 'spread_unknown' then '422'
    when 'spread_is_self' then '422'
    when 'spread_in_own_downline' then '422'
    when 'product_unavailable' then '422'
    when 'refund_exceeds_order' then '422'
    when 'level_unknown' then '422'
    when 'plan_invalid' then '422'
    when 'levels_invalid' then '422'
    when 'simulation_too_large' then '422'
  end;
begin
  raise exception using
    errcode = 'PT' || coalesce(v_status, '500'), message = p_code, detail = coalesce(p_detail, '');
end
$function$;

CREATE OR REPLACE FUNCTION app.handle_new_auth_user()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_spread text := trim(new.raw_user_meta_data ->> 'spread');
  v_nickname text := nullif(left(trim(new.raw_user_meta_data ->> 'nickname'), 64), '');
  v_avatar text := trim(new.raw_user_meta_data ->> 'avatar');
  v_spread_uid bigint;
  v_uid bigint;
begin
  if v_spread ~ '^[0-9]{1,18}$' then
    select u.uid into v_spread_uid from app.users as u where u.uid = v_spread::bigint;
  end if;
  insert into app.users (auth_id, nickname, phone, spread_uid, spread_time, avatar)
  values (
    new.id, coalesce(v_nickname, 'Member'), nullif(left(new.phone, 32), ''),
    v_spread_uid, case when v_spread_uid is not null then now() end,
    case when v_avatar ~ '^https?://' and char_length(v_avatar) <= 512 then v_avatar end
  )
  returning uid into v_uid;
  insert into app.user_balances (uid) values (v_uid);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION app.poster_fingerprint (
  p_uid      bigint,
  p_template text,
  p_code     bytea
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select encode(sha256(convert_to(
    jsonb_build_array(p_template, u.nickname, u.avatar, s.site_name, app.share_url(p_uid), encode(sha256(p_code), 'hex'))::text, 'UTF8'
  )), 'hex')
  from app.users as u cross join app.settings as s
  where u.uid = p_uid
$function$;

CREATE OR REPLACE FUNCTION app.poster_json (
  p_poster app.posters
)
  RETURNS jsonb
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'kind', case when p_poster.code is null then 'h5' else 'mini_program' end, 'share_url', p_poster.share_url, 'token', p_poster.token
  )
$function$;

CREATE OR REPLACE FUNCTION app.save_poster (
  p_uid         bigint,
  p_template    text,
  p_code_source text,
  p_code        bytea,
  p_now         timestamp with time zone
)
  RETURNS app.posters
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_poster app.posters;
  v_code bytea;
  v_fingerprint text;
begin
  if not exists (select from app.users as u where u.uid = p_uid) then
    perform app.fail('user_not_found');
  end if;
  -- Something to lock for two who come at the same moment.
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
$function$;

CREATE OR REPLACE FUNCTION app.share_url (
  p_uid bigint
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select s.h5_share_url || case when strpos(s.h5_share_url, '?') > 0 then '&' else '?' end || 'spread=' || p_uid
  from app.settings as s
$function$;

ALTER TABLE "app"."posters"
  ADD CONSTRAINT "posters_uid_fkey" FOREIGN KEY (uid) REFERENCES app.users(uid);

ALTER TABLE "app"."users"
  ADD CONSTRAINT "avatar_is_an_address" CHECK (((avatar ~ '^https?://'::text) AND (char_length(avatar) <= 512)));

CREATE POLICY "admins_read_posters" ON "app"."posters"
  FOR SELECT
  TO "store_admin", "service_role"
  USING (true);

COMMENT ON TABLE "app"."posters" IS 'Share posters: code is the mini-program code (null: a QR code of share_url is drawn), image the PNG once it was drawn. image may be emptied at any time.';

COMMENT ON TABLE "app"."wechat_tokens" IS 'Access tokens of WeChat, until they expire. Secret: no client role reads them.';

REVOKE ALL ON FUNCTION "api"."get_poster"(text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "api"."get_poster"(text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "api"."get_poster"(text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_poster"(text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_poster"(text, text) TO "store_admin";

REVOKE ALL ON FUNCTION "api"."get_poster_picture"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."get_poster_picture"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_poster_picture"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_poster_picture"(uuid) TO "service_role";

REVOKE ALL ON FUNCTION "api"."get_wechat_token"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."get_wechat_token"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_wechat_token"(text) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."get_wechat_token"(text) TO "service_role";

REVOKE ALL ON FUNCTION "api"."save_poster"(bigint, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."save_poster"(bigint, text, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."save_poster"(bigint, text, text, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."save_poster"(bigint, text, text, text) TO "service_role";

REVOKE ALL ON FUNCTION "api"."save_poster_picture"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."save_poster_picture"(uuid, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."save_poster_picture"(uuid, text) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."save_poster_picture"(uuid, text) TO "service_role";

REVOKE ALL ON FUNCTION "api"."save_wechat_token"(text, text, integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."save_wechat_token"(text, text, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."save_wechat_token"(text, text, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."save_wechat_token"(text, text, integer) TO "service_role";

REVOKE ALL ON FUNCTION "app"."poster_fingerprint"(bigint, text, bytea) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."poster_fingerprint"(bigint, text, bytea) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."poster_fingerprint"(bigint, text, bytea) TO "postgres";

REVOKE ALL ON FUNCTION "app"."poster_json"(app.posters) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."poster_json"(app.posters) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."poster_json"(app.posters) TO "postgres";

REVOKE ALL ON FUNCTION "app"."save_poster"(bigint, text, text, bytea, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."save_poster"(bigint, text, text, bytea, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."save_poster"(bigint, text, text, bytea, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "app"."share_url"(bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."share_url"(bigint) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."share_url"(bigint) TO "postgres";

GRANT SELECT ON TABLE "app"."posters" TO "store_admin", "service_role";
