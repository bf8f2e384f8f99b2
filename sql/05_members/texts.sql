-- Texts of members that WeChat checks, and the neutral nickname that takes the place of a refused one.

create or replace function app.neutral_nickname()
returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select 'Member'
$$;

comment on function app.neutral_nickname is
  'Returns the nickname of members who have none, or one that may not be shown.';

create or replace function app.text_digest(p_text text)
returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select encode(sha256(convert_to(p_text, 'UTF8')), 'hex')
$$;

comment on function app.text_digest is 'Returns the SHA-256 by which an answer of WeChat names the text.';

-- Precondition: called in the transaction that stores the text.
-- Idempotent: see app.add_to_outbox.
create or replace function app.queue_text_check(
  p_subject text, p_id bigint, p_uid bigint, p_text text, p_now timestamptz
)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select app.add_to_outbox(
    'text_check', concat_ws('_', p_subject, p_id, app.text_digest(p_text)),
    jsonb_build_object('subject', p_subject, 'id', p_id, 'digest', app.text_digest(p_text)), p_now, p_now
  )
  where p_text <> ''
    and exists (select from app.function_settings as f where 'STORE_WECHAT_MINI_APPID' = any (f.variables))
    and exists (select from app.users as u join app.wechat_accounts as w on w.auth_id = u.auth_id where u.uid = p_uid)
$$;

comment on function app.queue_text_check is
  'Has WeChat check a nickname, whose p_id is the uid, or the reason of a refund. Does nothing without a mini program, '
  'or if WeChat does not know the member.';
