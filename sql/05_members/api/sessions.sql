-- What members may call about their sessions, and the worker about sign-in codes.

-- Locks: see app.count_code.
-- Not idempotent: each call counts.
create or replace function api.count_code(p_phone text, p_address text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_phone !~ '^[1-9][0-9]{4,14}$' is not false or char_length(p_address) > 64 then
    perform app.fail('invalid_argument', 'A phone number has digits only, with the country code in front.');
  end if;
  perform app.count_code(p_phone, p_address, clock_timestamp());
  return '{}'::jsonb;
end
$$;

comment on function api.count_code is
  'Counts a sign-in code that is about to be sent (app.count_code). Serves POST /worker/sms, which has verified the '
  'message of the Auth server.';

grant execute on function api.count_code(text, text) to service_role;

-- Security definer: the function has no parameter and reads only the account of the verified token. Client roles cannot
-- read auth.sessions.
create or replace function api.get_sessions()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_uid();
  return (
    with sessions as materialized (
      select s.id, s.created_at, greatest(s.created_at, s.refreshed_at at time zone 'UTC') as used_at,
        left(s.user_agent, 512) as user_agent, host(s.ip) as ip
      from auth.sessions as s
      where s.user_id = auth.uid() and coalesce(s.not_after > clock_timestamp(), true)
    )
    select app.list_json(jsonb_agg(jsonb_build_object(
      'id', l.id, 'is_current', coalesce(l.id::text = auth.jwt() ->> 'session_id', false), 'began_at',
      app.utc(l.created_at), 'used_at', app.utc(l.used_at),
      'user_agent', l.user_agent, 'ip', l.ip
    ) order by l.used_at desc, l.id), (select count(*) from sessions))
    from (select s.* from sessions as s order by s.used_at desc, s.id limit 100) as l
  );
end
$$;

comment on function api.get_sessions is
  'Returns where the caller is signed in, the last used session first, at most 100 of them. Serves GET '
  '/api/user/session.';

grant execute on function api.get_sessions() to authenticated, store_admin;

-- Locks: the sessions.
-- Idempotent without p_id: a session that has ended is gone. With it, a second call raises session_not_found.
create or replace function api.end_sessions(p_id uuid default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ended integer;
begin
  perform app.require_uid();
  delete from auth.sessions as s
  where s.user_id = auth.uid()
    and case when p_id is null then s.id::text is distinct from auth.jwt() ->> 'session_id' else s.id = p_id end;
  get diagnostics v_ended = row_count;
  if v_ended = 0 and p_id is not null then
    perform app.fail('session_not_found');
  end if;
  return jsonb_build_object('ended', v_ended);
end
$$;

comment on function api.end_sessions is
  'Ends one session of the caller, or all but the present one: {ended}. Access tokens stay valid until they expire. '
  'Serves DELETE /api/user/session and DELETE /api/user/session/{id}.';

grant execute on function api.end_sessions(uuid) to authenticated, store_admin;
