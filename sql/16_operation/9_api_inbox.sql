-- What members may call about their notices, and administrators and the worker about the messages that bring them.

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
  'Returns one page of the caller''s notices of the last 90 days, newest first (app.inbox_json). Serves GET /api/notice.';

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

comment on function api.get_unread_notices is 'Returns how many notices the caller has not read (app.unread_json). Serves GET /api/notice/unread.';

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
  'Marks everything as read that the caller had before them with a response of the list, by its seen. Returns what is unread then. Serves PUT /api/notice/read.';

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

comment on function api.read_notice is 'Marks one notice of the caller as read. Returns what is unread then. Serves PUT /api/notice/{id}/read.';

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
    'address', app.mail_address(auth.uid()), 'is_mail_set_up', app.mail_is_set_up(), 'templates', app.consents_json(v_uid)
  );
end
$$;

comment on function api.get_notice_choices is
  'Returns which notices the caller sees where, the address to which mails go, whether the store sends any, and the templates of WeChat with the consents of the '
  'caller. Serves GET /api/notice/choices.';

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
  perform app.choose_notices(app.require_uid(), jsonb_build_object('inbox', p_inbox, 'email', p_email, 'wechat', p_wechat), p_language);
  return api.get_notice_choices();
end
$$;

comment on function api.set_notice_choices is
  'Chooses which notices the caller sees where, and the language of mails. Returns what get_notice_choices returns. Serves PUT /api/notice/choices.';

grant execute on function api.set_notice_choices(jsonb, jsonb, jsonb, text) to authenticated, store_admin;

-- Not idempotent: see app.add_consents.
create or replace function api.add_consents(p_answers jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.add_consents(app.require_uid(), p_answers);
  return api.get_notice_choices();
end
$$;

comment on function api.add_consents is
  'Counts the consents that the caller has just given to messages of WeChat (app.add_consents). Returns what get_notice_choices returns. Serves '
  'POST /api/notice/consent.';

grant execute on function api.add_consents(jsonb) to authenticated, store_admin;

create or replace function api.get_message_settings()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return app.messages_json();
end
$$;

comment on function api.get_message_settings is 'Returns the settings of messages to members (app.messages_json). Serves GET /adminapi/message_settings.';

grant execute on function api.get_message_settings() to store_admin;

-- Locks: see app.set_messages.
-- Idempotent: see app.set_messages.
create or replace function api.set_message_settings(
  p_quiet_from text default null, p_quiet_until text default null, p_templates jsonb default '[]', p_removed jsonb default '[]'
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before jsonb;
begin
  perform app.require_admin('system');
  v_before := app.messages_json() - '{is_mail_set_up, is_mini_program_set_up}'::text[];
  perform app.set_messages(p_quiet_from, p_quiet_until, p_templates, p_removed);
  perform app.record_action('set_message_settings', 'settings', null, v_before, app.messages_json() - '{is_mail_set_up, is_mini_program_set_up}'::text[]);
  return app.messages_json();
end
$$;

comment on function api.set_message_settings is
  'Changes the quiet hours and the templates of messages to members (app.set_messages). Returns what get_message_settings returns. Serves PUT /adminapi/message_settings.';

grant execute on function api.set_message_settings(text, text, jsonb, jsonb) to store_admin;

-- Locks: see app.begin_message.
-- Idempotent: see app.begin_message.
create or replace function api.begin_message(p_kind text, p_notice text, p_uid bigint, p_appid text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(app.begin_message(p_kind, p_notice, p_uid, p_appid, clock_timestamp()), 'null');
end
$$;

comment on function api.begin_message is 'Returns a message to a member that is to be sent now, or null (app.begin_message).';

grant execute on function api.begin_message(text, text, bigint, text) to service_role;

-- Locks: see app.record_message.
-- Idempotent: see app.record_message.
create or replace function api.record_message(p_kind text, p_notice text, p_uid bigint, p_result text, p_problem text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.record_message(p_kind, p_notice, p_uid, p_result, p_problem);
  return 'null'::jsonb;
end
$$;

comment on function api.record_message is 'Records how sending a message to a member ended (app.record_message).';

grant execute on function api.record_message(text, text, bigint, text, text) to service_role;
