-- Guarantee privacy/register: Every copy of their data that members get, and every deletion that they ask for, is in
-- the register of requests
-- By: one transaction, api.export_me, app.request_deletion and app.forget_choices (decision 0132)
begin;
\ir ../support/fixture.psql
grant store_api to postgres;
select plan(16);

create temporary table m as select pg_temp.sign_up() as uid, pg_temp.sign_up() as other;
create function pg_temp.rows(p_uid bigint) returns text language sql as $$
  select coalesce(
    string_agg(concat_ws(' ', r.kind, r.channel, r.state, nullif(r.note, '')), ', ' order by r.id), 'nothing'
  )
  from app.person_requests as r where r.uid = p_uid
$$;
create function pg_temp.delete_account() returns void language sql as $$ select app.request_deletion(m.uid, 0, 0, 0,
  now())
  from m $$;
create function pg_temp.record(p_kind text, p_note text) returns bigint language sql as $$
  select (app.ask_person_request(m.uid, p_kind, 'administrator', p_note, null, now())).id from m
$$;

-- Copies.
select ok(pg_temp.read(uid, 'export_me', '{"p_cursor": "0_0"}') is not null, 'a member reads their data') from m;
select is(pg_temp.rows(uid), 'copy app done', 'which is a copy that was made') from m;
select pg_temp.record('copy', 'By letter');
select pg_temp.read(uid, 'export_me') from m;
select is(pg_temp.rows(uid), 'copy app done, copy administrator done By letter', 'it answers an open request') from m;
select pg_temp.read(uid, 'export_me') from m;
select is(
  pg_temp.rows(uid), 'copy app done, copy administrator done By letter, copy app done',
  'and each further copy has a row'
)
from m;
select is(
  (select count(*) from app.person_requests as r where r.closed_by is null and r.closed_at is not null), 3::bigint,
  'that no administrator answered'
);
-- A file of more than one part.
insert into app.user_bill (
  uid, type, source, frozen_delta, available_delta, basis, rate, brokerage_after, frozen_after, available_after,
  add_time
)
select m.other, 'frozen_points_release', 'release', -1, 1, 1000, 0.001, 0, 0, n,
  '2024-06-01Z'::timestamptz + n * interval '1 second'
from m, generate_series(1, 1500) as n;
create temporary table part as select pg_temp.read(other, 'export_me') as one from m;
select is(pg_temp.rows(other), 'nothing', 'a copy that was not read to its end is none') from m;
select pg_temp.read(other, 'export_me', jsonb_build_object('p_cursor', one ->> 'next_cursor')) from m, part;
select is(pg_temp.rows(other), 'copy app done', 'one that was, is') from m;

-- Deletions.
update app.person_requests set note = '' from m where person_requests.uid = m.uid and note <> '';
select pg_temp.delete_account();
select is(
  substring(pg_temp.rows(uid) from 'deletion.*'), 'deletion app open', 'a deletion that waits is an open request'
)
from m;
select is(substring(pg_temp.waits(id) from 'person_request.*'), null, 'for which no administrator is needed')
from (select pg_temp.administrator() as id) as a;
select is(pg_temp.read(uid, 'cancel_deletion') ->> 'state', 'none', 'its member keeps the account') from m;
select is(substring(pg_temp.rows(uid) from 'deletion.*'), 'deletion app lapsed', 'and the request lapses') from m;
select pg_temp.record('deletion', 'By mail');
select is(pg_temp.read(uid, 'cancel_deletion') ->> 'state', 'none', 'where no deletion waits, nothing is kept') from m;
select pg_temp.delete_account(), pg_temp.record('correction', 'Lin, not Lim');
select is(
  substring(pg_temp.rows(uid) from 'deletion.*'),
  'deletion app lapsed, deletion administrator open By mail, correction administrator open Lin, not Lim',
  'an open request is the one of the deletion'
) from m;
update app.account_deletions set asked_at = asked_at - interval '7 days', due_at = due_at - interval '7 days';
select is(app.delete_account_if_due(uid, now()), true, 'the account is deleted') from m;
select is(
  substring(pg_temp.rows(uid) from 'deletion.*'),
  'deletion app lapsed, deletion administrator done, correction administrator lapsed',
  'which is what was asked for; other requests lapse, and no words are left'
) from m;
select throws_ok(
  format($$ select app.ask_person_request(%s, 'copy', 'administrator', 'Lin', null, now()) $$, uid), 'PT404',
  'user_not_found', 'nothing is asked of a deleted account'
)
from m;
select * from finish();
rollback;
