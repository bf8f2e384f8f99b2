-- Pictures that were uploaded to the store: who uploaded them, which are stored, which WeChat checks, and which nothing
-- shows any more.

create table app.pictures (
  id uuid primary key,
  owner uuid not null,
  kind text not null,
  state text not null default 'pending',
  media_type text,
  width integer,
  height integer,
  small_width integer,
  small_height integer,
  bytes integer,
  small_bytes integer,
  unused_since timestamptz,
  refund_id bigint,
  trace_ids text[] not null default '{}',
  checked_at timestamptz,
  content_check text,
  add_time timestamptz not null,
  constraint kind_is_known check (kind in ('avatar', 'store', 'refund')),
  constraint state_is_known check (state in ('pending', 'stored', 'removing')),
  constraint a_stored_picture_has_a_type_and_sizes check (
    state <> 'stored'
    or (media_type is not null and num_nulls(width, height, small_width, small_height, bytes, small_bytes) = 0)
  ),
  constraint media_type_is_known check (media_type in ('image/jpeg', 'image/webp')),
  constraint sides_are_between_1_and_2048 check (
    least(width, height, small_width, small_height) >= 1 and greatest(width, height, small_width, small_height) <= 2048
  ),
  constraint files_have_between_1_byte_and_5_mb check (
    least(bytes, small_bytes) >= 1 and greatest(bytes, small_bytes) <= 5000000
  ),
  constraint only_a_picture_of_refunds_belongs_to_one check (refund_id is null or kind = 'refund'),
  constraint content_check_is_known check (content_check in ('review', 'risky')),
  constraint only_a_checked_picture_is_in_doubt check (content_check is null or checked_at is not null)
);
comment on table app.pictures is
  'Pictures that members (avatar, refund) and administrators (store) have uploaded: a large and a small file in the '
  'folder of its id. Those of refunds are in the bucket private-pictures, without an address.';
comment on column app.pictures.owner is 'The Auth account that uploaded the picture.';
comment on column app.pictures.state is
  'pending: its files may not be complete; stored; removing: nothing may show it any more.';
comment on column app.pictures.refund_id is 'The refund request that has the picture.';
comment on column app.pictures.trace_ids is
  'How WeChat names the picture in its answers, one for each time that it was asked.';
comment on column app.pictures.checked_at is 'When WeChat answered for the first time. Later answers do not count.';
comment on column app.pictures.content_check is
  'What WeChat says of the picture: review (by a person) or risky. Null: nothing, or an administrator has dismissed '
  'the doubt.';
comment on column app.pictures.unused_since is
  'When the nightly job first found that nothing shows the picture; null: something does, or it is new.';

create index pictures_owner_idx on app.pictures (owner);
create index pictures_refund_id_idx on app.pictures (refund_id, add_time, id) where refund_id is not null;
-- For api.record_picture_check.
create index pictures_trace_ids_idx on app.pictures using gin (trace_ids);

alter table app.pictures enable row level security;
create policy admins_read_pictures on app.pictures for select to store_admin, service_role using (true);
grant select on app.pictures to store_admin, service_role;

-- For app.shown_pictures.
create index users_with_uploaded_picture_idx on app.users (uid) where avatar like '%/object/public/pictures/%';

create or replace function app.pictures_in(p_text text)
returns setof uuid
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select m.found[1]::uuid
  from regexp_matches(
    p_text, '/object/public/pictures/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/', 'g'
  ) as m (found)
$$;

comment on function app.pictures_in is 'Returns the ids in the addresses of uploaded pictures in a text, such as HTML.';

create or replace function app.shown_pictures()
returns setof uuid
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select i.id from app.products as p
  cross join app.pictures_in(concat_ws(' ', array_to_string(p.images, ' '), p.description)) as i (id)
  union
  select i.id from app.articles as a cross join app.pictures_in(concat_ws(' ', a.image_input, a.content)) as i (id)
  union
  select i.id from app.banners as b cross join app.pictures_in(b.image) as i (id)
  union
  select i.id from app.settings as s cross join app.pictures_in(s.logo) as i (id)
  union
  select i.id from app.users as u cross join app.pictures_in(u.avatar) as i (id)
  where u.avatar like '%/object/public/pictures/%'
  union
  select p.id from app.pictures as p where p.refund_id is not null
$$;

comment on function app.shown_pictures is
  'Returns the ids of the uploaded pictures that something shows. Deleted products and articles count, too.';

-- Without the lock, a picture whose removal has just begun could be shown by what is written at the same time.
-- Locks: the pictures, shared, by id.
create or replace function app.keep_pictures()
returns trigger
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids uuid[] := array(
    select distinct i.id from unnest(tg_argv) as c (name) cross join app.pictures_in(to_jsonb(new) ->> c.name) as i (id)
    order by i.id
  );
begin
  perform from app.pictures as p where p.id = any (v_ids) order by p.id for share;
  if exists (select from app.pictures as p where p.id = any (v_ids) and p.state <> 'stored') then
    perform app.fail(
      'invalid_argument',
      'A picture was removed, because nothing has shown it for a week or WeChat refuses it. Upload one again.'
    );
  end if;
  return new;
end
$$;

comment on function app.keep_pictures is
  'Trigger: raises invalid_argument for a row that would show an uploaded picture that is not stored. Its arguments '
  'name the columns with addresses.';

create trigger pictures_of_products_are_kept before insert or update of images, description on app.products
  for each row execute function app.keep_pictures('images', 'description');

create trigger pictures_of_articles_are_kept before insert or update of image_input, content on app.articles
  for each row execute function app.keep_pictures('image_input', 'content');

create trigger pictures_of_banners_are_kept before insert or update of image on app.banners
  for each row execute function app.keep_pictures('image');

create trigger picture_of_the_store_is_kept before update of logo on app.settings
  for each row execute function app.keep_pictures('logo');

create trigger pictures_of_members_are_kept before insert or update of avatar on app.users
  for each row when (new.avatar like '%/object/public/pictures/%') execute function app.keep_pictures('avatar');

create or replace function app.remove_picture_later(p_id uuid, p_kind text, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select app.add_to_outbox(
    'remove_picture', p_id::text, jsonb_build_object('picture_id', p_id, 'is_private', p_kind = 'refund'), p_now, p_now
  )
$$;

comment on function app.remove_picture_later is 'Adds the removal of the files of a picture to the outbox.';

create or replace function app.begin_picture(p_kind text, p_owner uuid, p_now timestamptz)
returns uuid
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  insert into app.pictures (id, owner, kind, add_time) values (gen_random_uuid(), p_owner, p_kind, p_now) returning id
$$;

comment on function app.begin_picture is 'Adds a picture whose files are about to be stored, and returns its id.';

-- Locks: the pictures whose state changes, skipping those that another transaction holds. What is found before the lock
-- is checked again after it.
-- Idempotent: a picture is removed once.
create or replace function app.retire_pictures(p_now timestamptz, p_limit integer)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_unused uuid[] := array(
    select p.id from app.pictures as p
    where p.state <> 'removing' and p.id not in (select s.id from app.shown_pictures() as s (id))
    order by p.id for update skip locked
  );
  v_shown uuid[] := array(select s.id from app.shown_pictures() as s (id) order by s.id);
  v_removed uuid[];
begin
  v_unused := array(select u.id from unnest(v_unused) as u (id) where u.id <> all (v_shown) order by u.id);
  update app.pictures as p set unused_since = null
  where p.id = any (array(
    select u.id from app.pictures as u
    where u.unused_since is not null and u.state <> 'removing' and u.id = any (v_shown)
    order by u.id for update skip locked
  ));
  update app.pictures as p set unused_since = p_now where p.unused_since is null and p.id = any (v_unused);
  v_removed := array(
    select p.id from app.pictures as p
    where p.id = any (v_unused) and p.unused_since <= p_now - interval '7 days' order by p.unused_since, p.id
    limit p_limit
  );
  update app.pictures as p set state = 'removing' where p.id = any (v_removed);
  perform app.remove_picture_later(p.id, p.kind, p_now) from app.pictures as p where p.id = any (v_removed);
  return cardinality(v_removed);
end
$$;

comment on function app.retire_pictures is
  'Adds to the outbox the removal of up to p_limit pictures that nothing has shown for a week, and returns how many.';

-- Locks: the pictures, by id.
-- Idempotent: a picture is removed once.
create or replace function app.remove_pictures_of(p_owner uuid, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids uuid[] := array(
    select p.id from app.pictures as p where p.owner = p_owner and p.kind <> 'store' and p.state <> 'removing'
    order by p.id for update
  );
begin
  update app.pictures as p set state = 'removing' where p.id = any (v_ids);
  perform app.remove_picture_later(p.id, p.kind, p_now) from app.pictures as p where p.id = any (v_ids);
end
$$;

comment on function app.remove_pictures_of is
  'Adds to the outbox the removal of the pictures of an account that leaves, except those of the store.';

-- Idempotent: see app.retire_pictures.
create or replace function app.remove_unused_pictures()
returns integer
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select app.retire_pictures(app.trusted_time(null), 1000)
$$;

comment on function app.remove_unused_pictures is
  'Removes up to 1,000 pictures that nothing has shown for a week (app.retire_pictures). A scheduled job.';

-- Security definer: an order shows the picture of a product that is no longer on sale, too.
-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.picture_of_product(p_id bigint)
returns text
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return (select p.images[1] from app.products as p where p.id = p_id);
end
$$;

comment on function app.picture_of_product is 'Returns the address of the first picture of a product, or null.';

grant execute on function app.picture_of_product(bigint) to authenticated, store_admin;

-- Locks: the pictures, by id.
create or replace function app.add_pictures_to_refund(p_refund_id bigint, p_pictures jsonb, p_owner uuid)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_wanted uuid[];
  v_ids uuid[];
begin
  -- Row order: the pictures are a set.
  v_wanted := array(select i.id::uuid from jsonb_array_elements_text(p_pictures) as i (id));
  if cardinality(v_wanted) > 6 then
    perform app.fail('invalid_argument', 'A refund request has at most 6 pictures.', '/pictures');
  end if;
  v_ids := array(
    select p.id from app.pictures as p
    where p.id = any (v_wanted) and p.owner = p_owner and p.kind = 'refund' and p.state = 'stored'
      and p.refund_id is null
    order by p.id for update
  );
  if cardinality(v_ids) <> cardinality(v_wanted) then
    perform app.fail(
      'invalid_argument',
      'A picture is none that you have uploaded for a refund request and not used yet. Upload it again.', '/pictures'
    );
  end if;
  update app.pictures as p set refund_id = p_refund_id, unused_since = null where p.id = any (v_ids);
exception when data_exception then
  perform app.fail('invalid_argument', 'The pictures are an array of ids.', '/pictures');
end
$$;

comment on function app.add_pictures_to_refund is
  'Adds pictures to a refund request. Raises invalid_argument unless there are at most 6, uploaded by the account for '
  'refund requests, stored and unused.';

-- Security definer: client roles cannot read app.pictures. Who may read the refund may read which pictures it has.
create or replace function app.pictures_of_refund(p_refund_id bigint)
returns jsonb
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    jsonb_agg(jsonb_build_object('id', p.id, 'content_check', p.content_check) order by p.add_time, p.id), '[]'
  )
  from app.pictures as p where p.refund_id = p_refund_id and p.state = 'stored'
$$;

comment on function app.pictures_of_refund is
  'Returns the pictures of a refund request in the order of their upload: [{id, content_check}].';

grant execute on function app.pictures_of_refund(bigint) to authenticated, store_admin;

create or replace function app.is_picture_in_doubt(p_address text)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from app.pictures as p
    where p.id in (select i.id from app.pictures_in(p_address) as i (id)) and p.content_check is not null
  )
$$;

comment on function app.is_picture_in_doubt is
  'Returns whether WeChat refuses the uploaded picture of an address, or wants a person to look at it.';

-- Security definer: client roles may not execute app.shown_avatar.
create or replace function app.checked_avatar(p_avatar text)
returns jsonb
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object('avatar', app.shown_avatar(p_avatar), 'avatar_in_doubt', app.is_picture_in_doubt(p_avatar))
$$;

comment on function app.checked_avatar is
  'Returns {avatar, avatar_in_doubt} of a member (app.shown_avatar, app.is_picture_in_doubt).';

-- Precondition: called in the transaction that stores the picture.
-- Idempotent: a picture that WeChat was asked about is not queued again.
create or replace function app.queue_picture_check(p_id uuid, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select app.add_to_outbox('picture_check', p.id::text, jsonb_build_object('picture_id', p.id), p_now, p_now)
  from app.pictures as p
  where p.id = p_id and p.kind <> 'store' and p.checked_at is null and p.trace_ids = '{}'
    and exists (
      select from app.function_settings as f
      where f.variables @> '{STORE_WECHAT_MINI_APPID, STORE_WECHAT_MINI_PUSH_TOKEN, STORE_WECHAT_MINI_PUSH_KEY}'
    )
    and exists (select from app.wechat_accounts as w where w.auth_id = p.owner)
$$;

comment on function app.queue_picture_check is
  'Has WeChat check a picture of a member. Does nothing without messages of a mini program, or if WeChat does not know '
  'the member.';
