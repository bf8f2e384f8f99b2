begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
\ir ../../support/transfers.psql
grant store_api to postgres;
select plan(13);

create temporary table m as select pg_temp.wechat_member() as a, pg_temp.wechat_member() as b;
create temporary table w as select pg_temp.approved_transfer(a) as a, pg_temp.approved_transfer(b) as b from m;
select results_eq(
  $$ select o.key, o.payload - 'withdrawal_id', o.run_after <= now() from app.outbox as o where o.kind = 'transfer'
  order by o.id $$,
  $$ select n.no, jsonb_build_object('withdrawal_no', n.no), true
  from w, unnest(array[w.a, w.b]) with ordinality as n (no, place) order by n.place $$,
  'an approved withdrawal is in the outbox, without a name or an id of WeChat'
);
select is((select state from app.withdrawals where withdrawal_no = a), 'approved', 'WeChat has not been asked yet')
from w;
select is(
  pg_temp.attempt('none', 'select app.create_withdrawal_batch(''bank'', null, null, null, now())'),
  'PT409 withdrawal_state_conflict', 'no file takes it'
);

select is(e.state, 'refused', 'it can still be refused')
from app.move_withdrawal(
  app.lock_withdrawal((select l.id from app.withdrawals as l join w on w.b = l.withdrawal_no)), 'refused', now(),
  'Wrong'
) as e;
select is_empty($$ select from app.outbox, w where key = w.b $$, 'and then is not asked for');
select is(app.begin_transfer(b, 'merchant 1', now()), null, 'even by a worker that had taken the call before') from w;

select is(
  app.begin_transfer(a, 'merchant 1', now()) - 'openid',
  '{"appid": "wx1", "payee_name": null, "amount_minor": 10000, "must_cancel": false, "may_request": true, "can_be_confirmed": false, "is_held": false}',
  'the worker is told what to ask'
) from w;
select is(
  (select state from app.withdrawals where withdrawal_no = a), 'paying',
  'and from then on only WeChat knows how it ends'
)
from w;
update app.wechat_accounts set openid = 'another ' || openid;
select is(
  app.begin_transfer(w.a, 'merchant 1', now() + interval '1 hour') ->> 'openid', 'openid ' || m.a,
  'the same is asked each time, whatever has changed since'
)
from w, m;
select results_eq(
  'select first_asked_at = now(), asked_at = now() + interval ''1 hour'' from app.transfers where asked_at is not null',
  'values (true, true)', 'the first and the last request are known'
);
select is(
  pg_temp.attempt(
    'none', format('select app.move_withdrawal(app.lock_withdrawal(%s), ''refused'', now(), ''late'')', l.id)
  ),
  'PT409 withdrawal_state_conflict', 'it can no longer be refused'
)
from w join app.withdrawals as l on l.withdrawal_no = w.a;
select throws_ok(
  $$ select app.begin_transfer('W0', 'merchant 1', now()) $$, 'PT404', 'withdrawal_not_found',
  'a number that does not exist'
);
select is_empty('select * from app.reconcile()', 'the books agree');

select * from finish();
rollback;
