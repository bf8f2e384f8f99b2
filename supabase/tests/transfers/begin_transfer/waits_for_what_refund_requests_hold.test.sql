-- Guarantee money/withdrawal-held
begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
\ir ../../support/transfers.psql
select plan(9);

-- Of 720.00 of one order, 700.00 are withdrawn, in two ways; then the order is asked back.
create temporary table m as select n, pg_temp.reporter() as uid from generate_series(1, 2) as n;
alter table m add order_id bigint, add no text;
update m set order_id = pg_temp.earn(uid);
insert into app.wechat_accounts (appid, openid, auth_id) select 'wx1', 'openid ' || m.n, u.auth_id from m
join app.users as u on u.uid = m.uid;
create function pg_temp.transfer(p_uid bigint) returns text language sql as $$
  select (app.approve_withdrawal(w, now())).withdrawal_no
  from app.request_withdrawal(p_uid, 700, 'wechat', null, now(), 'Chen Jing') as w
$$;
update m set no = pg_temp.transfer(uid);
select from m, app.request_refund(m.order_id, null, '', now());
create function pg_temp.state(p_n integer) returns text language sql as $$ select w.state from m
  join app.withdrawals as w on w.withdrawal_no = m.no where m.n = p_n $$;

select is(app.begin_transfer(no, 'merchant 1', now()), '{"is_held": true}', 'the worker is not told what to ask') from m
where n = 1;
select is(pg_temp.state(1), 'approved', 'and WeChat has not been asked');
select isnt_empty($$ select from app.outbox, m where key = m.no and n = 1 $$, 'the call stays in the outbox');
select
  is(pg_temp.attempt('none',
  format(
    'select (app.approve_withdrawal(app.lock_withdrawal(id), now(), null, 1)).state from app.withdrawals where withdrawal_no = %L',
    no
  )),
  'PT409 held_by_refunds',
  'another approval repeats the amount') from m where n = 1;
select is(
  (app.approve_withdrawal(app.lock_withdrawal(w.id), now(), null, 700)).held_accepted, 700.00, 'which is stored'
)
from m join app.withdrawals as w on w.withdrawal_no = m.no where n = 1;
select is(app.begin_transfer(no, 'merchant 1', now()) ->> 'amount_minor', '70000', 'and then the transfer begins')
from m where n = 1;

select from m, app.refuse_refund(m.order_id, now()) where n = 2;
select is(
  app.begin_transfer(no, 'merchant 1', now()) ->> 'is_held', 'false',
  'a request that is answered holds no transfer any more'
)
from m where n = 2;
select is(pg_temp.state(2), 'paying', 'so it begins');
select is_empty('select * from app.reconcile()', 'the books agree');

select * from finish();
rollback;
