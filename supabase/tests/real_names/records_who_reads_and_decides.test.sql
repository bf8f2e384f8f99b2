-- Guarantee privacy/real-names-read: Each reading of a real name is recorded, and only the area money reads it
-- By: one transaction, api.read_real_name
begin;
\ir ../support/fixture.psql
\ir ../support/withdrawals.psql
\ir ../support/real_names.psql
grant store_api to postgres;
select plan(23);

select app.set_settings('{"real_name_from": 100, "real_name_check": "administrator"}', now());
create temporary table m as select pg_temp.reporter() as uid;
select from m, pg_temp.earn(m.uid);
create temporary table admin as select pg_temp.administrator() as finance, pg_temp.administrator() as service;
update app.administrators as a set roles = '{finance}' from admin where a.auth_id = admin.finance;
update app.administrators as a set roles = '{service}' from admin where a.auth_id = admin.service;
create function pg_temp.ask(p_function text, p_args jsonb default '{}') returns text language sql as $$
  select pg_temp.call(admin.finance, p_function, jsonb_build_object('p_uid', m.uid) || p_args) from admin, m
$$;
create function pg_temp.decide(p_state text, p_reason text default null) returns text language sql as $$
  select pg_temp.ask(
    'decide_real_name',
    jsonb_build_object('p_id', (select max(r.id) from app.real_names as r), 'p_state', p_state, 'p_reason', p_reason)
  )
$$;
create function pg_temp.withdrawal() returns text language sql as $$
  select pg_temp.attempt('postgres', format('select pg_temp.withdraw(%s, 100)', m.uid)) from m
$$;

select is(pg_temp.ask('read_real_name'), 'PT404 real_name_not_found', 'nothing is read of who has given none');
select is(pg_temp.ask('admin_get_real_name')::jsonb ->> 'state', 'none', 'the page says so');
select is(pg_temp.give(m.uid), null, 'a member gives a real name') from m;
select is(
  pg_temp.read(m.uid, 'get_withdrawal_terms') -> 'real_name', '{"state": "given", "amount_from": "100.00"}',
  'it waits for its check'
)
from m;
select is(pg_temp.withdrawal(), 'PT409 real_name_required', 'and does not suffice until then');

select is(pg_temp.ask('admin_get_real_name')::jsonb ->> 'number', '1****************X', 'finance sees it masked');
select is_empty($$ select from app.admin_actions where function ~ 'real_name' $$, 'which is no reading');
select is(pg_temp.ask('read_real_name')::jsonb ->> 'ciphertext', repeat('ab', 60), 'and reads the ciphertext');
select results_eq(
  $$ select a.actor, a.target_type, a.target_id, a.to_value from app.admin_actions as a
  where a.function = 'read_real_name' $$,
  $$ select admin.finance, 'member', m.uid::text, '{"document": "id_card"}'::jsonb
  from admin, m $$, 'which is on record, without any value'
);
select is(
  pg_temp.call(admin.service, f, jsonb_build_object('p_uid', m.uid)), 'PT403 forbidden',
  'a role without the area money may not: ' || f
)
from admin, m, unnest('{admin_get_real_name, read_real_name}'::text[]) as f;
select is_empty(
  $$ select from app.key_scopes() as s
  where s.functions && '{read_real_name, admin_get_real_name, decide_real_name}' $$,
  'nor may a machine key with any scope'
);

select is(pg_temp.decide('given'), 'PT422 invalid_argument', 'it is checked or refused');
select is(pg_temp.decide('refused', ' '), 'PT422 invalid_argument', 'and refused with a reason');
select is(pg_temp.decide('checked', 'Fine'), 'PT422 invalid_argument', 'but not checked with one');
select is(
  pg_temp.decide('refused', 'The card has expired')::jsonb ->> 'reason', 'The card has expired',
  'an administrator refuses it'
);
create temporary table former as select max(r.id) as id from app.real_names as r;
select is(pg_temp.give(m.uid), null, 'the member gives another') from m;
select is(
  pg_temp.ask('decide_real_name', jsonb_build_object('p_id', former.id, 'p_state', 'checked')),
  'PT409 changed_meanwhile', 'the former can no longer be decided'
) from former;
select is(pg_temp.decide('checked')::jsonb #>> '{state}', 'checked', 'the new one is checked');
select unalike(pg_temp.withdrawal(), 'PT%', 'and suffices');
select is(pg_temp.give(m.uid), 'PT409 real_name_fixed', 'it stays') from m;
select results_eq(
  $$ select a.from_value, a.to_value from app.admin_actions as a where a.function = 'decide_real_name' order by a.id $$,
  $$ values ('{"state": "given"}'::jsonb, '{"state": "refused", "reason": "changed"}'::jsonb),
  ('{"state": "given"}', '{"state": "checked"}') $$, 'decisions are on record'
);
select results_eq(
  $$ select e.type, e.cause, app.is_notice(e.type, e.cause, app.types_of('{withdrawals}')) from app.events as e, m
  where e.uid = m.uid and e.type like 'name.%' order by e.id $$,
  $$ values ('name.refused', 'administrator', true), ('name.checked', 'administrator', true) $$,
  'and the member is told of each'
);
select * from finish();
rollback;
