-- What members may call about their notices.

-- Security definer: the event of a release concerns all members, and no policy shows it to one.
create or replace function api.get_notices(p_cursor text default null, p_limit integer default 20)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.inbox_json(app.require_uid(), p_cursor, p_limit);
end
$$;

comment on function api.get_notices is
  'Returns one page of the caller''s notices of the last 90 days, newest first (app.inbox_json). Serves GET '
  '/api/notice.';

grant execute on function api.get_notices(text, integer) to authenticated, store_admin;

-- Security definer: see api.get_notices.
create or replace function api.get_unread_notices()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.unread_json(app.require_uid());
end
$$;

comment on function api.get_unread_notices is
  'Returns how many notices the caller has not read (app.unread_json). Serves GET /api/notice/unread.';

grant execute on function api.get_unread_notices() to authenticated, store_admin;

-- Idempotent: see app.read_all_notices.
create or replace function api.read_notices(p_seen text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid constant bigint := app.require_uid();
begin
  perform app.read_all_notices(v_uid, p_seen);
  return app.unread_json(v_uid);
end
$$;

comment on function api.read_notices is
  'Marks as read what the caller had before them with p_seen (app.read_all_notices). Returns what is unread then. '
  'Serves PUT /api/notice/read.';

grant execute on function api.read_notices(text) to authenticated, store_admin;

-- Idempotent: see app.read_notice.
create or replace function api.read_notice(p_id text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid constant bigint := app.require_uid();
begin
  perform app.read_notice(v_uid, p_id, clock_timestamp());
  return app.unread_json(v_uid);
end
$$;

comment on function api.read_notice is
  'Marks one notice of the caller as read. Returns what is unread then. Serves PUT /api/notice/{id}/read.';

grant execute on function api.read_notice(text) to authenticated, store_admin;

-- Security definer: client roles cannot read the address of the caller.
create or replace function api.get_notice_choices()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid constant bigint := app.require_uid();
  v_inbox constant app.inboxes := app.inbox_of(v_uid);
begin
  return jsonb_build_object(
    'inbox', v_inbox.inbox, 'email', v_inbox.email, 'wechat', v_inbox.wechat, 'language', v_inbox.language,
    'address', app.mail_address(auth.uid()), 'is_mail_set_up', app.mail_is_set_up(), 'templates',
    app.consents_json(v_uid)
  );
end
$$;

comment on function api.get_notice_choices is
  'Returns which notices the caller gets where, the address of mails, whether the store sends any, and '
  'app.consents_json. Serves GET /api/notice/choices.';

grant execute on function api.get_notice_choices() to authenticated, store_admin;

-- Idempotent: see app.choose_notices.
create or replace function api.set_notice_choices(p_inbox jsonb, p_email jsonb, p_wechat jsonb, p_language text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.choose_notices(
    app.require_uid(), jsonb_build_object('inbox', p_inbox, 'email', p_email, 'wechat', p_wechat), p_language
  );
  return api.get_notice_choices();
end
$$;

comment on function api.set_notice_choices is
  'Chooses which notices the caller sees where (app.choose_notices). Returns what get_notice_choices returns. Serves '
  'PUT /api/notice/choices.';

grant execute on function api.set_notice_choices(jsonb, jsonb, jsonb, text) to authenticated, store_admin;
