-- What clients and the edge functions may call about uploaded pictures.

-- Locks: the count of the caller's changes.
-- Not idempotent: each call begins another picture. One that is not stored or not shown is removed after a week.
create or replace function api.upload_avatar()
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.use_quota(app.require_uid(), 'profile_change', clock_timestamp());
  return jsonb_build_object('id', app.begin_picture('avatar', auth.uid(), clock_timestamp()));
end
$$;

comment on function api.upload_avatar is
  'Begins a picture of the caller and returns its id. It counts as a change of the profile. First step of POST '
  '/picture/avatar.';

grant execute on function api.upload_avatar() to authenticated, store_admin;

-- Locks: the count of the caller's pictures.
-- Not idempotent: each call begins another picture. One that no request has is removed after a week.
create or replace function api.upload_refund_picture()
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.use_quota(app.require_uid(), 'refund_picture', clock_timestamp());
  return jsonb_build_object('id', app.begin_picture('refund', auth.uid(), clock_timestamp()));
end
$$;

comment on function api.upload_refund_picture is
  'Begins a picture for a refund request of the caller and returns its id. First step of POST /picture/refund.';

grant execute on function api.upload_refund_picture() to authenticated, store_admin;

-- Not idempotent: each call begins another picture. One that is not stored or not shown is removed after a week.
create or replace function api.upload_picture()
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_id uuid;
begin
  perform app.require_admin('content');
  v_id := app.begin_picture('store', auth.uid(), clock_timestamp());
  perform app.record_action('upload_picture', 'picture', v_id::text, null, '{"images": 1}');
  return jsonb_build_object('id', v_id);
end
$$;

comment on function api.upload_picture is
  'Begins a picture of the store and returns its id. First step of POST /picture/store.';

grant execute on function api.upload_picture() to store_admin;

-- Locks: the picture.
-- Idempotent: a second call with the same values changes nothing.
create or replace function api.finish_picture(
  p_id uuid, p_media_type text, p_width integer, p_height integer, p_small_width integer, p_small_height integer,
  p_bytes integer, p_small_bytes integer
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_constraint text;
  v_is_stored boolean;
begin
  update app.pictures as p
  set state = 'stored', media_type = p_media_type, width = p_width, height = p_height, small_width = p_small_width,
    small_height = p_small_height,
      bytes = p_bytes, small_bytes = p_small_bytes
  where p.id = p_id and p.state <> 'removing';
  v_is_stored := found;
  perform app.queue_picture_check(p_id, clock_timestamp());
  return jsonb_build_object('stored', v_is_stored);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.reject_value(v_constraint);
end
$$;

comment on function api.finish_picture is
  'Records that both files of a picture are stored, and has WeChat check that of a member: {stored}, false if it is '
  'unknown or being removed. Last step of POST /picture/avatar, POST /picture/refund and POST /picture/store.';

grant execute on function api.finish_picture(
  uuid, text, integer, integer, integer, integer, integer, integer
) to service_role;

-- Locks: the picture.
-- Idempotent: a second call finds nothing.
create or replace function api.forget_picture(p_id uuid)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from app.pictures as p where p.id = p_id and p.state = 'removing';
  perform app.finish_outbox('remove_picture', p_id::text);
  return jsonb_build_object('id', p_id);
end
$$;

comment on function api.forget_picture is 'Records that the files of a picture are removed. The worker calls it.';

grant execute on function api.forget_picture(uuid) to service_role;

-- Security definer: no client role may read app.wechat_accounts.
create or replace function api.get_picture_check(p_id uuid, p_appid text)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select jsonb_build_object(
      'openid', w.openid, 'media_type', p.media_type, 'is_private', p.kind = 'refund', 'asked', cardinality(p.trace_ids)
    )
    from app.pictures as p join app.wechat_accounts as w on w.auth_id = p.owner and w.appid = p_appid
    where p.id = p_id and p.kind <> 'store' and p.state = 'stored' and p.checked_at is null
  );
end
$$;

comment on function api.get_picture_check is
  'Returns a picture for WeChat to check: {openid, media_type, is_private, asked}, asked being how often it was. Null '
  'if there is nothing to ask, or the member never opened this mini program.';

grant execute on function api.get_picture_check(uuid, text) to service_role;

-- WeChat answers within half an hour. After an hour it is asked again.
-- Locks: the picture, the row of the outbox.
-- Not idempotent: each call is another question.
create or replace function api.record_picture_question(p_id uuid, p_trace_id text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if char_length(p_trace_id) not between 1 and 128 then
    perform app.fail('invalid_argument', 'The number of a check has at most 128 characters.');
  end if;
  update app.pictures as p set trace_ids = p.trace_ids || p_trace_id
  where p.id = p_id and p.checked_at is null and p_trace_id is not null;
  if found then
    update app.outbox as o set run_after = clock_timestamp() + interval '1 hour', last_problem = null
    where o.kind = 'picture_check' and o.key = p_id::text;
  else
    perform app.finish_outbox('picture_check', p_id::text);
  end if;
  return '{}';
end
$$;

comment on function api.record_picture_question is
  'Records that WeChat was asked about a picture and answers under p_trace_id. Null: WeChat does not check it.';

grant execute on function api.record_picture_question(uuid, text) to service_role;

-- Locks: the member, then the picture.
-- Idempotent: the first answer counts, also after an administrator has dismissed the doubt.
create or replace function api.record_picture_check(p_trace_id text, p_verdict text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_id uuid := (select p.id from app.pictures as p where p.trace_ids @> array[p_trace_id] order by p.id limit 1);
  v_uid bigint;
  v_kind text;
begin
  if not coalesce(p_verdict in ('pass', 'review', 'risky'), false) then
    perform app.fail('invalid_argument', 'A picture passes, needs a review, or is risky.');
  end if;
  -- Before the picture, as whoever chooses an avatar does.
  select u.uid into v_uid from app.users as u
  where u.auth_id = (select p.owner from app.pictures as p where p.id = v_id) for no key update;
  update app.pictures as p set checked_at = v_now, content_check = nullif(p_verdict, 'pass')
  where p.id = v_id and p.checked_at is null and p.state = 'stored'
  returning p.kind into v_kind;
  if v_kind = 'avatar' and p_verdict = 'risky' then
    update app.users as u set avatar = null
    where u.uid = v_uid and v_id in (select i.id from app.pictures_in(u.avatar) as i (id));
    perform app.write_event('profile.avatar_removed', v_uid, v_uid, '{}', v_now) where v_uid is not null;
    update app.pictures as p set state = 'removing' where p.id = v_id;
    perform app.remove_picture_later(v_id, v_kind, v_now);
  end if;
  perform app.finish_outbox('picture_check', v_id::text);
  return jsonb_build_object('known', v_id is not null);
end
$$;

comment on function api.record_picture_check is
  'Records what WeChat says of a picture: {known}. A risky avatar is removed; others that do not pass are marked for '
  'administrators. Serves GET /api/wechat/message and POST /api/wechat/message.';

grant execute on function api.record_picture_check(text, text) to service_role;
