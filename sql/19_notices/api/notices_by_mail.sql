-- What administrators may call about their notices by mail, and how the worker sends them.

-- Security definer: client roles cannot read the address of the caller.
create or replace function api.get_own_notices()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin(null);
  return (
    select jsonb_build_object(
      'is_set_up', app.mail_is_set_up(), 'email', u.email, 'kinds', to_jsonb(coalesce(c.kinds, '{}')), 'language',
      c.language,
      'minutes', coalesce(c.minutes, 60), 'noticed_at', app.utc(c.noticed_at)
    )
    from auth.users as u left join app.notice_choices as c on c.auth_id = u.id
    where u.id = auth.uid()
  );
end
$$;

comment on function api.get_own_notices is
  'Returns which notices by email the calling administrator has chosen, and whether there is a mail server. Serves '
  'GET /adminapi/me/notices.';

grant execute on function api.get_own_notices() to store_admin;

-- Locks: the choices of the caller.
-- Idempotent: the same choices again change nothing.
create or replace function api.set_own_notices(p_kinds jsonb, p_language text, p_minutes integer)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_kinds text[];
  v_before app.notice_choices;
begin
  perform app.require_admin('records');
  if jsonb_typeof(p_kinds) = 'array' then
    v_kinds := array(
      select k.kind from app.waiting_kinds() with ordinality as k (kind, area, place) where p_kinds ? k.kind
      order by k.place
    );
  end if;
  if v_kinds is null or cardinality(v_kinds) <> jsonb_array_length(p_kinds) then
    perform app.fail('invalid_argument', 'Name different kinds of what can wait.', '/kinds');
  elsif coalesce(p_language, '') not in ('en', 'zh') then
    perform app.fail('invalid_argument', 'The language is en or zh.', '/language');
  elsif coalesce(p_minutes, 0) not in (15, 60, 240, 1440) then
    perform app.fail('invalid_argument', 'Between two notices lie 15, 60, 240 or 1440 minutes.', '/minutes');
  end if;
  select c.* into v_before from app.notice_choices as c where c.auth_id = auth.uid() for update;
  if cardinality(v_kinds) = 0 then
    delete from app.notice_choices as c where c.auth_id = auth.uid();
    perform app.finish_outbox('notice', v_before.notice_no::text);
  else
    insert into app.notice_choices (auth_id, kinds, language, minutes) values (
      auth.uid(), v_kinds, p_language, p_minutes
    )
    on conflict (auth_id) do update set kinds = excluded.kinds, language = excluded.language,
      minutes = excluded.minutes;
  end if;
  perform app.record_action(
    'set_own_notices', 'administrator', auth.uid()::text,
    jsonb_build_object(
      'kinds', coalesce(v_before.kinds, '{}'), 'language', v_before.language, 'minutes', v_before.minutes
    ),
    jsonb_build_object('kinds', v_kinds, 'language', p_language, 'minutes', p_minutes)
  );
  return api.get_own_notices();
end
$$;

comment on function api.set_own_notices is
  'Chooses the notices by email of the calling administrator (app.notice_choices). Returns what get_own_notices '
  'returns. Serves PUT /adminapi/me/notices.';

grant execute on function api.set_own_notices(jsonb, text, integer) to store_admin;

-- Idempotent: a notice that is not to be sent any more is gone.
create or replace function api.begin_notice(p_notice_no bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_notice jsonb := app.notice_json(p_notice_no, clock_timestamp());
begin
  if v_notice is null then
    perform app.finish_outbox('notice', p_notice_no::text);
  end if;
  return coalesce(v_notice, 'null');
end
$$;

comment on function api.begin_notice is
  'Returns a notice that is to be sent now (app.notice_json), or removes it from the outbox and returns null.';

grant execute on function api.begin_notice(bigint) to service_role;

-- Idempotent: a finished row is gone.
create or replace function api.record_notice(p_notice_no bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.finish_outbox('notice', p_notice_no::text);
  return 'null'::jsonb;
end
$$;

comment on function api.record_notice is
  'Records that the mail server has taken a notice, which removes it from the outbox.';

grant execute on function api.record_notice(bigint) to service_role;
