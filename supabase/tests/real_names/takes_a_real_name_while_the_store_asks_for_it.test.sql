-- Guarantee privacy/real-names-required: From the amount in the settings on, nobody withdraws without a real name that
-- suffices, whatever happens at the same time
-- By: the lock of the balances, app.require_real_name
begin;
\ir ../support/fixture.psql
\ir ../support/withdrawals.psql
\ir ../support/real_names.psql
grant store_api to postgres;
select plan(22);

create temporary table m as select pg_temp.reporter() as a, pg_temp.reporter() as b;
select from m, pg_temp.earn(m.a);
create function pg_temp.terms() returns jsonb language sql as $$ select pg_temp.read(
  m.a, 'get_withdrawal_terms'
) -> 'real_name'
  from m $$;
create function pg_temp.ask(p_amount numeric) returns text language sql as $$
  select pg_temp.attempt('postgres', format('select pg_temp.withdraw(%s, %s)', m.a, p_amount)) from m
$$;
create function pg_temp.cancel() returns void language sql as $$
  select from app.withdrawals as w, app.cancel_withdrawal(w, now()) where w.ended_at is null
$$;

select is(pg_temp.terms(), 'null', 'the terms name no real name while it is off');
select is(pg_temp.give(m.a), 'PT422 invalid_argument', 'and none is taken') from m;
select unalike(pg_temp.ask(700), 'PT%', 'nor needed');
select pg_temp.cancel();

select app.set_settings('{"real_name_from": 500}', now());
select is(
  pg_temp.terms(), '{"state": "none", "amount_from": "500.00"}', 'once it is on, the terms say from which amount'
);
select is(pg_temp.ask(500), 'PT409 real_name_required', 'this amount needs it');
select unalike(pg_temp.ask(499.99), 'PT%', 'and less does not');
select pg_temp.cancel();
select is(pg_temp.give(m.a, '{"p_ciphertext": "ab"}'), 'PT422 invalid_argument', 'what is no ciphertext is refused')
from m;
select is(pg_temp.give(m.a, '{"p_name_mask": "张三"}'), 'PT422 invalid_argument', 'and a name that is not masked') from m;
select is(
  pg_temp.give(m.a, '{"p_number_mask": "11010519491231002X"}'), 'PT422 invalid_argument', 'and a number that is not'
)
from m;
select is(pg_temp.give(m.a), null, 'a member gives it') from m;
select is(
  pg_temp.read(m.a, 'get_real_name') - 'given_at' - 'id',
  jsonb_build_object(
    'uid', m.a, 'state', 'given', 'document', 'id_card', 'name', '张**', 'number', '1****************X', 'reason', null,
    'decided_at', null
  ),
  'and sees it masked'
) from m;
select is(pg_temp.terms(), 'null', 'nothing is missing then');
select unalike(pg_temp.ask(500), 'PT%', 'and the withdrawal is requested');
select is(pg_temp.give(m.a), 'PT409 real_name_fixed', 'it stays while the withdrawal is open') from m;
select pg_temp.cancel();
select is(pg_temp.give(m.a), null, 'and can be given again after it') from m;
select is((select count(*) from app.real_names), 1::bigint, 'in place of the former');
select is(pg_temp.give(m.b), null, 'another member can give the same document') from m;
select set_eq(
  'select count(*) as members, count(distinct person) as people from app.real_names', 'values (2::bigint, 1::bigint)',
  'by which they are one person'
);

select is(
  string_agg(coalesce(pg_temp.give(m.a), 'taken'), ', '), 'taken, taken, taken, PT429 too_many_requests',
  'it is given five times in an hour'
)
from m, generate_series(1, 4);

select app.set_settings('{"real_name_from": 0}', now());
select is((select s.real_name_from from app.settings as s), null, '0 switches it off');
select throws_ok(
  $$ select app.set_settings('{"real_name_from": -1}', now()) $$, 'PT422', null, 'no amount is negative'
);
select throws_ok(
  $$ select app.set_settings('{"real_name_check": "police"}', now()) $$, 'PT422', null, 'and nobody else checks'
);
select * from finish();
rollback;
