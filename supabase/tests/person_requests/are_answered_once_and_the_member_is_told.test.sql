-- Guarantee privacy/register-answers
begin;
\ir ../support/fixture.psql
grant store_api to postgres;
select plan(30);

create temporary table m as select pg_temp.sign_up() as uid, pg_temp.sign_up() as other;
create temporary table admins as select pg_temp.administrator() as one, pg_temp.administrator() as two,
  pg_temp.administrator() as service, pg_temp.administrator() as finance;
update app.administrators as a set roles = array[r.role]
from admins as o cross join lateral (values (o.service, 'service'), (o.finance, 'finance')) as r (id, role)
where a.auth_id = r.id;
create function pg_temp.ask(p_args jsonb) returns text language sql as $$
  select pg_temp.call(u.auth_id, 'create_person_request', p_args, 'authenticated') from app.users as u, m
  where u.uid = m.uid
$$;
create function pg_temp.record(p_args jsonb) returns text language sql as $$
  select pg_temp.call(
    a.service, 'record_person_request', jsonb_build_object('p_uid', m.other, 'p_kind', 'copy') || p_args
  )
  from admins as a, m
$$;
create function pg_temp.answer(p_by uuid, p_id bigint, p_state text, p_answer text) returns text language sql as $$
  select pg_temp.call(
    p_by, 'answer_person_request', jsonb_build_object('p_id', p_id, 'p_state', p_state, 'p_answer', p_answer)
  )
$$;
create function pg_temp.told() returns text language sql as $$
  select coalesce(string_agg(format('%s %s %s', e.type, e.payload, e.cause), ', ' order by e.id), 'nothing')
  from app.events as e, m where e.uid in (m.uid, m.other)
$$;

select is(pg_temp.ask(c.args), 'PT422 invalid_argument', c.sentence) from (values
  ('{"p_kind": "everything"}'::jsonb, 'a request is of a kind'),
  ('{"p_kind": null}', 'that is given'),
  ('{"p_kind": "correction"}', 'a correction says what is wrong'),
  ('{"p_kind": "correction", "p_note": " "}', 'in words'),
  (jsonb_build_object('p_kind', 'copy', 'p_note', repeat('x', 501)), 'of at most 500 characters'),
  ('{"p_kind": "copy", "p_note": "a\u0007"}', 'without control characters')
) as c (args, sentence);
update app.settings set person_request_days = 20;
select is(
  pg_temp.ask('{"p_kind": "correction", "p_note": "Lin, not Lim"}')::jsonb - '{id, received_at, due_at}'::text[],
  '{"kind": "correction", "channel": "app", "note": "Lin, not Lim", "state": "open", "answer": "", "closed_at": null}',
  'a member asks'
);
select is(r.due_at - r.received_at, interval '20 days', 'for an answer within the days of the settings')
from app.person_requests as r;
select is(pg_temp.ask('{"p_kind": "correction", "p_note": "Lin"}'), 'PT409 person_request_open', 'once for each kind');
select ok((pg_temp.ask('{"p_kind": "deletion"}')::jsonb ->> 'id') is not null, 'another kind is another request');

-- Recorded for somebody who wrote.
select is(pg_temp.record(c.args), c.error, c.sentence) from (values
  ('{"p_uid": 999999999}'::jsonb, 'PT404 user_not_found', 'it is recorded for a member'),
  (
    jsonb_build_object('p_received_on', app.business_day(now()) + 1), 'PT422 invalid_argument',
    'not for a day that comes'
  ),
  (jsonb_build_object('p_received_on', app.business_day(now()) - 366), 'PT422 invalid_argument', 'nor for one long ago')
) as c (args, error, sentence);
select is(
  pg_temp.call(a.finance, 'record_person_request', jsonb_build_object('p_uid', m.other, 'p_kind', 'copy')),
  'PT403 forbidden', 'a role with the area members records it'
) from admins as a, m;
select is(
  pg_temp.call(a.one, 'record_person_request', jsonb_build_object('p_uid', u.uid, 'p_kind', 'copy')),
  'PT403 own_account', 'not for themselves'
) from admins as a join app.users as u on u.auth_id = a.one;
create temporary table recorded as select pg_temp.record(
  jsonb_build_object('p_received_on', app.business_day(now()) - 30, 'p_note', 'By mail')
)::jsonb as json;
select is(
  array[json ->> 'channel', json ->> 'is_overdue', json ->> 'received_at', json #>> '{recorded_by, auth_id}'],
  array['administrator', 'true', app.utc(app.day_begins(app.business_day(now()) - 30)), a.service::text],
  'a request of 30 days ago is overdue'
) from recorded, admins as a;
select is(
  pg_temp.waits(a.service), 'overdue_person_request 1, person_request 2',
  'what is overdue waits under a name of its own'
)
from admins as a;
select is(
  (
    select string_agg(l.value ->> 'kind', ' ' order by l.ordinality)
    from jsonb_array_elements(pg_temp.call(a.one, 'admin_get_person_requests')::jsonb -> 'list') with ordinality as l
  ),
  'copy correction deletion', 'the list begins with it'
) from admins as a;

-- Answers.
create temporary table r as select max(id) filter (where kind = 'copy') as copy,
  max(id) filter (where kind = 'correction') as correction, max(id) filter (where kind = 'deletion') as deletion
  from app.person_requests;
select is(pg_temp.answer(a.one, r.copy, c.state, c.answer), 'PT422 invalid_argument', c.sentence)
from admins as a, r, (values
  ('lapsed', 'x', 'only the store lets a request lapse'), ('done', ' ', 'an answer has words')
) as c (state, answer, sentence);
select is(pg_temp.answer(a.finance, r.copy, 'done', 'x'), 'PT403 forbidden', 'finance does not answer')
from admins as a, r;
select is(
  pg_temp.answer(a.service, r.copy, 'open', 'Asked for proof')::jsonb ->> 'answer', 'Asked for proof',
  'what was done so far is noted'
)
from admins as a, r;
select is(pg_temp.told(), 'nothing', 'of which the member is not told');
select is(
  pg_temp.answer(a.service, r.copy, 'done', 'Sent by mail')::jsonb #>> '{closed_by, auth_id}', a.service::text,
  'a request is done'
)
from admins as a, r;
select isnt(
  pg_temp.answer(a.one, r.copy, 'done', 'Sent by mail'), 'PT409 person_request_state_conflict',
  'the same answer again changes nothing'
)
from admins as a, r;
select is(
  pg_temp.answer(a.one, r.copy, 'refused', 'Sent by mail'), 'PT409 person_request_state_conflict',
  'another one is refused'
)
from admins as a, r;
select is(
  pg_temp.answer(a.one, r.deletion, 'done', 'Deleted'), 'PT409 person_request_state_conflict',
  'a deletion is done by deleting'
)
from admins as a, r;
select is(
  pg_temp.answer(a.two, r.correction, 'refused', 'The law wants it so')::jsonb ->> 'state', 'refused',
  'a request is refused'
)
from admins as a, r;
select is(
  pg_temp.told(),
  format(
    'person.request_done {"kind": "copy", "request_id": %s} administrator, person.request_refused {"kind": "correction", "request_id": %s} administrator',
    copy, correction
  ),
  'the members are told once'
) from r;
select results_eq(
  $$ select l.from_value, l.to_value from app.admin_actions as l
  where l.function in ('record_person_request', 'answer_person_request') order by l.id $$,
  format($$ values
    (null::jsonb, '{"uid": %s, "kind": "copy", "received_at": "%s"}'::jsonb), ('{}', '{"answer": "changed"}'),
      ('{"state": "open"}', '{"state": "done", "answer": "changed"}'), ('{}', '{}'),
    ('{"state": "open"}', '{"state": "refused", "answer": "changed"}') $$, m.other, json ->> 'received_at'),
  'the log has all of it but the texts'
) from m, recorded;
select * from finish();
rollback;
