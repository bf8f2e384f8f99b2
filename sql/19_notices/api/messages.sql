-- What members and administrators may call about messages that bring notices, and how the worker sends them.

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
  'Counts consents of the caller to messages of WeChat (app.add_consents). Returns what get_notice_choices returns. '
  'Serves POST /api/notice/consent.';

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

comment on function api.get_message_settings is
  'Returns the settings of messages to members (app.messages_json). Serves GET /adminapi/message_settings.';

grant execute on function api.get_message_settings() to store_admin;

-- Locks: see app.set_messages.
-- Idempotent: see app.set_messages.
create or replace function api.set_message_settings(
  p_quiet_from text default null, p_quiet_until text default null, p_templates jsonb default '[]',
  p_removed jsonb default '[]'
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
  perform app.record_action(
    'set_message_settings', 'settings', null, v_before,
    app.messages_json() - '{is_mail_set_up, is_mini_program_set_up}'::text[]
  );
  return app.messages_json();
end
$$;

comment on function api.set_message_settings is
  'Changes the quiet hours and the templates of messages to members (app.set_messages). Returns what '
  'get_message_settings returns. Serves PUT /adminapi/message_settings.';

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

comment on function api.begin_message is 'Returns a message that is to be sent now, or null (app.begin_message).';

grant execute on function api.begin_message(text, text, bigint, text) to service_role;

-- Locks: see app.record_message.
-- Idempotent: see app.record_message.
create or replace function api.record_message(
  p_kind text, p_notice text, p_uid bigint, p_result text, p_problem text default null
)
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

comment on function api.record_message is 'Records how sending a message ended (app.record_message).';

grant execute on function api.record_message(text, text, bigint, text, text) to service_role;
