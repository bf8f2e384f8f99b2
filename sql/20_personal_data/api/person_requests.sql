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
  'Returns the caller''s latest 100 requests for a copy, a correction or the deletion of their data, newest first. '
  'Serves GET /api/user/request.';

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
  'Asks the store for a copy, a correction or the deletion of the caller''s data (app.ask_person_request). Serves '
  'POST /api/user/request.';

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
-- A plan for the filters of the call.
set plan_cache_mode = force_custom_plan
as $$
declare
  v_now constant timestamptz := clock_timestamp();
  v_uid bigint;
  v_skip bigint;
begin
  perform app.require_admin();
  v_uid := app.current_uid();
  v_skip := app.check_page(p_page, p_limit);
  return (
    with matching as not materialized (
      select r.* from app.person_requests as r
      where (p_uid is null or r.uid = p_uid) and (p_kind is null or r.kind = p_kind)
        and (p_state is null or r.state = p_state)
        and (p_waiting is null or r.closed_at is null and app.person_request_waits_as(r, v_uid, v_now) = p_waiting)
    )
    select app.list_json(
      jsonb_agg(app.admin_person_request_json(l, v_now) order by l.closed_at desc nulls first, l.due_at, l.id),
      (select count(*) from matching)
    )
    from (
      select m.* from matching as m order by m.closed_at desc nulls first, m.due_at, m.id offset v_skip limit p_limit
    ) as l
  );
end
$$;

comment on function api.admin_get_person_requests is
  'Returns one page of the requests of persons: open ones, the earliest due first, then closed ones, newest first. '
  'p_waiting is a kind of app.person_request_waits_as. Serves GET /adminapi/person_request.';

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
  'Answers a request of a person or notes what was done (app.answer_person_request), and returns it. Serves PUT '
  '/adminapi/person_request/{id}.';

grant execute on function api.answer_person_request(bigint, text, text) to store_admin;
