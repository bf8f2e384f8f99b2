begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
\ir ../../support/transfers.psql
grant store_api to postgres;
select plan(17);

create temporary table m as select pg_temp.wechat_member() as a, pg_temp.reporter() as other;
select from m, pg_temp.earn(m.other);
update app.settings set transfer_minimum = 20, transfer_maximum = 500, transfer_name_from = 300,
  withdrawal_fee_rate = 0.1;
create function pg_temp.ask(
  p_uid bigint, p_amount numeric, p_name text default null, p_method text default 'wechat'
) returns text language sql as $$
  select pg_temp.attempt('none', format(
    'select w.state from app.request_withdrawal(%s, %s, %L, %s, now(), %L) as w', p_uid, p_amount, p_method,
    case p_method when 'wechat' then 'null' else pg_temp.account(p_uid)::text end, p_name
  ))
$$;
select is(
  pg_temp.ask(other, 100), 'PT404 account_not_found',
  'a member who does not sign in with WeChat has nobody to transfer to'
)
from m;
select is(pg_temp.ask(a, 22.21), 'PT422 invalid_argument', 'WeChat does not transfer less than its minimum') from m;
select is(pg_temp.ask(a, 555.57), 'PT422 invalid_argument', 'or more than its maximum') from m;
select is(pg_temp.ask(a, 333.33), 'PT422 invalid_argument', 'the amount less the fee decides whether a name is needed')
from m;
select is(pg_temp.ask(a, 333.33, ' '), 'PT422 invalid_argument', 'a name can be seen') from m;
select is(pg_temp.ask(a, 333.33, repeat('x', 65)), 'PT422 invalid_argument', 'and is short') from m;
select is(pg_temp.ask(a, 100, 'Lin', 'bank'), 'PT422 invalid_argument', 'a bank is not told a name here') from m;
select is_empty('select from app.withdrawals', 'none of them is a withdrawal');

select is(pg_temp.ask(a, 333.33, 'Lin Wei'), 'requested', 'with a name, it is requested') from m;
select results_eq(
  'select t.appid, t.openid, t.payee_name, w.account_hint from app.transfers as t join app.withdrawals as w on w.id = t.withdrawal_id',
  $$ select 'wx1', 'openid ' || a, 'Lin Wei', 'WeChat'
  from m $$, 'it goes to the account with which the member signs in now'
);
select from app.withdrawals as w, app.move_withdrawal(app.lock_withdrawal(w.id), 'refused', now(), 'Again');
select is(t.payee_name, null, 'the name is not kept when the withdrawal has ended') from app.transfers as t;
select is(pg_temp.ask(a, 333.32, 'Lin Wei'), 'requested', 'a name that is not needed is accepted') from m;
select is(t.payee_name, null, 'but not kept') from app.transfers as t
join app.withdrawals as w on w.id = t.withdrawal_id where w.state = 'requested';

create function pg_temp.terms(p_uid bigint) returns jsonb language sql as $$ select pg_temp.read(
  p_uid, 'get_withdrawal_terms'
) $$;
select results_eq(
  $$ select l.method, l.minimum, l.maximum, l.name_from from m, app.withdrawal_limits(m.a, 1000) as l
  where l.method = 'wechat' $$,
  'values (''wechat'', 22.22, 555.55, 333.33)',
  'the terms name the limits of WeChat before the fee, which are those of a request'
);
select is(
  pg_temp.terms(m.other) -> 'methods' @> '[{"method": "wechat"}]'
  or not pg_temp.terms(m.a) -> 'methods' @> '[{"method": "wechat"}]',
  false,
  'but not to members without it'
) from m;
select is_empty(
  $$ select x.amount, r.rate
  from generate_series(0.01, 60, 0.01) as x (amount), unnest('{0, 0.006, 0.1, 0.99999}'::numeric[]) as r (rate)
    where (
      x.amount - app.withdrawal_fee(x.amount, r.rate) <= 5.01
    ) <> (x.amount <= app.amount_for_net(5.01, r.rate)) $$,
  'amount_for_net is the largest amount of which no more is left, whatever the fee'
);
select is_empty('select * from app.reconcile()', 'the books agree');

select * from finish();
rollback;
