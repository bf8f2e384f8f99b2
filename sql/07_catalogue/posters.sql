-- Share links and posters.

create or replace function app.poster_json(p_poster app.posters)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'kind', case when p_poster.code is null then 'h5' else 'mini_program' end, 'share_url', p_poster.share_url, 'token',
    p_poster.token
  )
$$;

comment on function app.poster_json is 'Returns the poster of a member in the format of the API.';

create or replace function app.share_url(p_uid bigint, p_product_id bigint)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select s.h5_share_url || case when strpos(s.h5_share_url, '?') > 0 then '&' else '?' end || 'spread=' || p_uid
    || case when p_product_id > 0 then '#/products/' || p_product_id else '' end
  from app.settings as s
$$;

comment on function app.share_url is
  'Returns the H5 share link of a member: the address of the settings with spread=<uid>, with a product at its page.';

create or replace function app.poster_content(p_uid bigint, p_product_id bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'uid', u.uid, 'nickname', u.nickname, 'avatar', app.shown_avatar(u.avatar), 'site_name', s.site_name, 'share_url',
    app.share_url(u.uid, p_product_id),
    'design', coalesce(p.poster_design, s.poster_design),
    'product',
    case
      when p.id is not null then jsonb_build_object(
        'title', p.title, 'price', p.price::text, 'picture', app.shown_avatar(p.images[1])
      )
    end
  )
  from app.users as u cross join app.settings as s left join app.products as p on p.id = p_product_id
  where u.uid = p_uid
$$;

comment on function app.poster_content is 'Returns what a poster of a member shows, besides the mini-program code.';

create or replace function app.poster_fingerprint(p_uid bigint, p_product_id bigint, p_template text, p_code bytea)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select encode(sha256(convert_to(
    jsonb_build_array(p_template, app.poster_content(p_uid, p_product_id), encode(sha256(p_code), 'hex'))::text, 'UTF8'
  )), 'hex')
$$;

comment on function app.poster_fingerprint is
  'Returns a hash of everything that a poster shows. p_template is the version of the layout, p_code the mini-program '
  'code or null.';

create or replace function app.require_poster_product(p_product_id bigint)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_product_id <> 0
    and not exists (select from app.products as p where p.id = p_product_id and p.is_show and not p.is_del) then
    perform app.fail('product_not_found');
  end if;
end
$$;

comment on function app.require_poster_product is
  'Raises product_not_found unless the product is on sale. 0 is the poster of the store.';

-- Locks: the poster.
-- Idempotent, also for concurrent calls: the first code stays.
create or replace function app.save_poster(
  p_uid bigint, p_product_id bigint, p_template text, p_code_source text, p_code bytea, p_now timestamptz
)
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
  perform app.require_poster_product(p_product_id);
  -- A row that concurrent calls can lock.
  insert into app.posters (uid, product_id, token, fingerprint, share_url, made_at)
  values (p_uid, p_product_id, gen_random_uuid(), '', '', p_now) on conflict do nothing;
  select p.* into v_poster from app.posters as p where p.uid = p_uid and p.product_id = p_product_id for update;

  v_code := coalesce(case when v_poster.code_source = p_code_source then v_poster.code end, p_code);
  v_fingerprint := app.poster_fingerprint(p_uid, p_product_id, p_template, v_code);
  if v_fingerprint <> v_poster.fingerprint then
    update app.posters set token = gen_random_uuid(), image = null, drawing_until = null, made_at = p_now
    where uid = p_uid and product_id = p_product_id;
  end if;
  update app.posters
  set
    fingerprint = v_fingerprint, share_url = app.share_url(p_uid, p_product_id), code_source = p_code_source,
    code = v_code,
    retry_at = case when v_code is null and p_code_source is not null then p_now + interval '10 minutes' end
  where uid = p_uid and product_id = p_product_id
  returning * into v_poster;
  return v_poster;
end
$$;

comment on function app.save_poster is
  'Creates or updates a poster of a member and returns it. A mini-program code from p_code_source stays, otherwise '
  'p_code replaces it. If it shows the same as before, it keeps token and picture.';
