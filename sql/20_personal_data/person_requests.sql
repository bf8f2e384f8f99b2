-- The register of what members ask of their personal data: a copy, a correction or the deletion, until when each is
-- answered, and what was done.

create or replace function app.person_request_json(p_request app.person_requests)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_request.id, 'kind', p_request.kind, 'channel', p_request.channel, 'note', p_request.note, 'received_at',
    app.utc(p_request.received_at),
    'due_at', app.utc(p_request.due_at), 'state', p_request.state, 'answer', p_request.answer, 'closed_at',
    app.utc(p_request.closed_at)
  )
$$;

comment on function app.person_request_json is 'Returns a request of a person as its member sees it.';

grant execute on function app.person_request_json(app.person_requests) to authenticated, store_admin;

create or replace function app.admin_person_request_json(p_request app.person_requests, p_now timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.person_request_json(p_request) || jsonb_build_object(
    'uid', p_request.uid, 'nickname', (select u.nickname from app.users as u where u.uid = p_request.uid),
    'is_overdue', p_request.state = 'open' and p_request.due_at < p_now,
    'recorded_by', app.actor_json(p_request.recorded_by), 'closed_by', app.actor_json(p_request.closed_by)
  )
$$;

comment on function app.admin_person_request_json is
  'Returns app.person_request_json with the member, whether it is overdue, and who recorded and closed it.';

-- Idempotent: of a kind, a member has one open request.
create or replace function app.open_person_request(
  p_uid bigint, p_kind text, p_channel text, p_note text, p_by uuid, p_received_at timestamptz
)
returns app.person_requests
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  insert into app.person_requests (uid, kind, channel, note, recorded_by, received_at, due_at)
  select p_uid, p_kind, p_channel, p_note, p_by, p_received_at,
    p_received_at + make_interval(days => s.person_request_days)
  from app.settings as s
  on conflict (uid, kind) where state = 'open' do nothing
  returning *
$$;

comment on function app.open_person_request is 'Enters a request and returns it; null if one of its kind is open.';

-- Not idempotent: each request is a row. A second one of a kind is refused while the first is open.
create or replace function app.ask_person_request(
  p_uid bigint, p_kind text, p_channel text, p_note text, p_by uuid, p_received_at timestamptz
)
returns app.person_requests
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_request app.person_requests;
begin
  if coalesce(p_kind, '') not in ('copy', 'correction', 'deletion') then
    perform app.fail('invalid_argument', 'A request is for a copy, a correction or the deletion.', '/kind');
  elsif char_length(p_note) > 500 then
    perform app.fail('invalid_argument', 'What is asked for has at most 500 characters.', '/note');
  elsif not app.is_text(p_note) then
    perform app.reject_text('/note');
  elsif p_kind = 'correction' and app.is_visible(p_note) is not true then
    perform app.fail('invalid_argument', 'Say what is wrong, and what is right.', '/note');
  end if;
  v_request := app.open_person_request(p_uid, p_kind, p_channel, coalesce(p_note, ''), p_by, p_received_at);
  if v_request.id is null then
    perform app.fail('person_request_open', 'A request of this kind is open. It is answered first.');
  elsif exists (
    select from app.users as u where u.uid = p_uid and u.auth_id is null and u.nickname = app.deleted_nickname()
  ) then
    -- The row has waited for a deletion that was going on.
    perform app.fail('user_not_found', 'This account was deleted, so nothing personal is left.');
  end if;
  return v_request;
end
$$;

comment on function app.ask_person_request is
  'Enters a request of a person and returns it. Raises person_request_open if one of its kind is open, user_not_found '
  'if the account was deleted, and invalid_argument.';

-- The administrator who recorded a request for a copy need not answer what the member has got by then.
-- Locks: the open request.
-- Not idempotent: each copy is a row.
create or replace function app.enter_own_copy(p_uid bigint, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  update app.person_requests as r set state = 'done', closed_at = p_now
  where r.uid = p_uid and r.kind = 'copy' and r.state = 'open';
  if not found then
    insert into app.person_requests (uid, kind, channel, received_at, due_at, state, closed_at)
    select p_uid, 'copy', 'app', p_now, p_now + make_interval(days => s.person_request_days), 'done', p_now
    from app.settings as s;
  end if;
end
$$;

comment on function app.enter_own_copy is
  'Enters that a member has got a copy of their data in the app, which closes an open request for one.';

-- Locks: the open requests.
-- Idempotent: what is closed stays as it is.
create or replace function app.close_person_requests(p_uid bigint, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.person_requests as r
  set note = '', answer = case when r.answer <> '' then app.forgotten_text() else '' end,
    state = case when r.state <> 'open' then r.state when r.kind = 'deletion' then 'done' else 'lapsed' end,
    closed_at = coalesce(r.closed_at, p_now)
  where r.uid = p_uid and (r.state = 'open' or r.note <> '' or r.answer not in ('', app.forgotten_text()))
$$;

comment on function app.close_person_requests is
  'Closes the requests of a member whose account is deleted, the deletion as done and others as lapsed, and empties '
  'their texts.';

-- Locks: the balances of the member, as a deletion does, so that none is asked for meanwhile; then the request.
-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_person_request(p_id bigint)
returns app.person_requests
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_request app.person_requests;
begin
  perform app.lock_balances(array[r.uid]) from app.person_requests as r where r.id = p_id;
  select r.* into v_request from app.person_requests as r where r.id = p_id for update;
  if not found then
    perform app.fail('person_request_not_found');
  end if;
  return v_request;
end
$$;

comment on function app.lock_person_request is
  'Locks the balances of the member and a request of theirs, and returns the request. Raises person_request_not_found.';

-- Locks: see app.lock_person_request.
-- Idempotent: the same answer again changes nothing.
create or replace function app.answer_person_request(
  p_id bigint, p_state text, p_answer text, p_by uuid, p_now timestamptz
)
returns app.person_requests
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_request app.person_requests;
  v_now timestamptz;
begin
  if coalesce(p_state, '') not in ('open', 'done', 'refused') then
    perform app.fail('invalid_argument', 'A request stays open, is done or is refused.', '/state');
  elsif p_answer is null or char_length(p_answer) not between 1 and 500 or not app.is_visible(p_answer) then
    perform app.fail(
      'invalid_argument', 'Say in 1 to 500 characters what was done, or why the request is refused.', '/answer'
    );
  elsif not app.is_text(p_answer) then
    perform app.reject_text('/answer');
  end if;
  v_request := app.lock_person_request(p_id);
  v_now := app.effect_time(p_now);
  if (v_request.state, v_request.answer) = (p_state, p_answer) then
    return v_request;
  elsif v_request.state <> 'open' then
    perform app.fail('person_request_state_conflict', 'This request has been answered.');
  elsif v_request.kind = 'deletion' and p_state = 'done' then
    perform app.fail(
      'person_request_state_conflict', 'A deletion is done by the deletion of the account, which closes this request.'
    );
  elsif p_state = 'refused' and v_request.kind = 'deletion'
    and exists (select from app.account_deletions as d where d.uid = v_request.uid and d.done_at is null) then
    perform app.fail('person_request_state_conflict', 'The account waits for its deletion, which closes this request.');
  end if;
  update app.person_requests as r
  set state = p_state, answer = p_answer, closed_by = case when p_state <> 'open' then p_by end,
    closed_at = case when p_state <> 'open' then v_now end
  where r.id = p_id
  returning r.* into v_request;
  perform app.write_event(
    'person.request_' || p_state, v_request.uid, v_request.uid,
    jsonb_build_object('request_id', p_id, 'kind', v_request.kind), v_now
  )
  where p_state <> 'open';
  return v_request;
end
$$;

comment on function app.answer_person_request is
  'Answers a request of a person and returns it: p_state open notes the answer, done or refused closes it and tells '
  'the member. Raises person_request_state_conflict if it is closed, or if only the deletion of the account closes it.';
