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
  'Begins a picture of the caller and returns its id. It counts as a change of the profile. First step of POST /picture/avatar.';

grant execute on function api.upload_avatar() to authenticated, store_admin;

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
  'Begins a picture of the store, for a product, an article, a banner or the logo, and returns its id. First step of POST /picture/store.';

grant execute on function api.upload_picture() to store_admin;

-- Locks: the picture.
-- Idempotent: a second call with the same values changes nothing.
create or replace function api.finish_picture(
  p_id uuid, p_media_type text, p_width integer, p_height integer, p_small_width integer, p_small_height integer, p_bytes integer, p_small_bytes integer
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_constraint text;
begin
  update app.pictures as p
  set state = 'stored', media_type = p_media_type, width = p_width, height = p_height, small_width = p_small_width, small_height = p_small_height,
      bytes = p_bytes, small_bytes = p_small_bytes
  where p.id = p_id and p.state <> 'removing';
  return jsonb_build_object('stored', found);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.reject_value(v_constraint);
end
$$;

comment on function api.finish_picture is
  'Records that both files of a picture are stored. Returns stored = false if the picture is unknown or being removed. Last step of POST /picture/avatar and '
  'POST /picture/store.';

grant execute on function api.finish_picture(uuid, text, integer, integer, integer, integer, integer, integer) to service_role;

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
