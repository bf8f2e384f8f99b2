-- What clients may call about requests of persons.

create or replace function api.get_person_requests()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  return (
    select app.list_json(
      jsonb_agg(app.person_request_json(l) order by l.id desc),
      (select count(*) from app.person_requests as r where r.uid = v_uid)
    )
    from (select r.* from app.person_requests as r where r.uid = v_uid order by r.id desc limit 100) as l
  );
end
$$;

comment on function api.get_person_requests is
  'Returns the caller''s requests for a copy, a correction or the deletion of their data, newest first, at most 100 '
  'of them. Serves GET /api/user/request.';

grant execute on function api.get_person_requests() to authenticated, store_admin;

-- Not idempotent: see app.ask_person_request.
create or replace function api.create_person_request(p_kind text, p_note text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.person_request_json(
    app.ask_person_request(app.require_uid(), p_kind, 'app', p_note, null, clock_timestamp())
  );
end
$$;

comment on function api.create_person_request is
  'Asks the store for a copy, a correction or the deletion of the caller''s data, for what they cannot do alone, and '
  'returns the request. Serves POST /api/user/request.';

grant execute on function api.create_person_request(text, text) to authenticated, store_admin;

-- Security definer: client roles may not call auth.uid, which says for whom something waits.
create or replace function api.admin_get_person_requests(
  p_uid bigint default null, p_kind text default null, p_state text default null, p_page integer default 1,
  p_limit integer default 20, p_waiting text default null
)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_skip bigint;
  v_result jsonb;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  -- A plan for the filters of the call.
  execute $sql$
    with matching as not materialized (
      select r.* from app.person_requests as r
      where ($1 is null or r.uid = $1) and ($2 is null or r.kind = $2) and ($3 is null or r.state = $3)
        and ($6 is null or r.closed_at is null and app.person_request_waits_as(r, $7, $8) = $6)
    )
    select app.list_json(
      jsonb_agg(app.admin_person_request_json(l, $8) order by l.closed_at desc nulls first, l.due_at, l.id),
      (select count(*) from matching)
    )
    from (select m.* from matching as m order by m.closed_at desc nulls first, m.due_at, m.id offset $4 limit $5) as l
  $sql$
  into v_result
  using p_uid, p_kind, p_state, v_skip, p_limit, p_waiting, app.current_uid(), v_now;
  return v_result;
end
$$;

comment on function api.admin_get_person_requests is
  'Returns one page of the requests of persons, filtered by member, kind, state and what waits for the caller '
  '(app.person_request_waits_as): open ones by the day on which they are due, overdue ones first, then closed ones, '
  'newest first. Serves GET /adminapi/person_request.';

grant execute on function api.admin_get_person_requests(bigint, text, text, integer, integer, text) to store_admin;

-- Not idempotent: see app.ask_person_request.
create or replace function api.record_person_request(
  p_uid bigint, p_kind text, p_note text default null, p_received_on date default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_today constant date := app.business_day(v_now);
  v_request app.person_requests;
begin
  perform app.require_admin('members');
  perform app.require_user(p_uid);
  perform app.reject_own_member(p_uid);
  if p_received_on not between v_today - 365 and v_today then
    perform app.fail('invalid_argument', 'A request was received today or within the last 365 days.', '/received_on');
  end if;
  v_request := app.ask_person_request(
    p_uid, p_kind, 'administrator', p_note, auth.uid(),
    case when p_received_on < v_today then app.day_begins(p_received_on) else v_now end
  );
  perform app.record_action(
    'record_person_request', 'person_request', v_request.id::text, null,
    jsonb_build_object('uid', p_uid, 'kind', p_kind, 'received_at', app.utc(v_request.received_at))
  );
  return app.admin_person_request_json(v_request, v_now);
end
$$;

comment on function api.record_person_request is
  'Records a request of a member who wrote or called, received today or on the business day p_received_on, and '
  'returns it. Serves POST /adminapi/person_request.';

grant execute on function api.record_person_request(bigint, text, text, date) to store_admin;

-- Locks: see app.lock_person_request.
-- Idempotent: see app.answer_person_request.
create or replace function api.answer_person_request(p_id bigint, p_state text, p_answer text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.person_requests;
  v_after app.person_requests;
begin
  perform app.require_admin('members');
  v_before := app.lock_person_request(p_id);
  perform app.reject_own_member(v_before.uid);
  v_after := app.answer_person_request(p_id, p_state, p_answer, auth.uid(), null);
  perform app.record_action(
    'answer_person_request', 'person_request', p_id::text,
    jsonb_build_object('state', v_before.state, 'answer', v_before.answer),
    jsonb_build_object('state', v_after.state, 'answer', v_after.answer), '{state}'
  );
  return app.admin_person_request_json(v_after, clock_timestamp());
end
$$;

comment on function api.answer_person_request is
  'Notes what was done for a request of a person, or closes it as done or refused (app.answer_person_request), and '
  'returns it. Serves PUT /adminapi/person_request/{id}.';

grant execute on function api.answer_person_request(bigint, text, text) to store_admin;
