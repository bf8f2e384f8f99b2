begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
\ir ../../support/transfers.psql
select plan(26);

create temporary table n as select s.name, pg_temp.asked_transfer(pg_temp.wechat_member()) as no
  from unnest('{paid, failed, cancelled, open}'::text[]) as s (name);
create function pg_temp.no(p_name text) returns text language sql as $$ select n.no from n where n.name = p_name $$;
create function pg_temp.money_of(p_name text) returns text language sql as $$
  select pg_temp.money(w.uid) from app.withdrawals as w where w.withdrawal_no = pg_temp.no(p_name)
$$;

select is(pg_temp.hear(pg_temp.no('open'), s.state), 'paying ' || s.state, format('%s leaves it open', s.state))
from unnest('{accepted, confirming, cancelling, transferring}'::text[]) as s (state);
select is(
  pg_temp.hear(pg_temp.no('open'), 'unknown'), 'paying transferring',
  'so does a number that WeChat does not know any more'
);
select is(
  pg_temp.hear(pg_temp.no('open'), 'unknown', null, now() + interval '100 days'), 'paying transferring', 'for ever'
);
select is(pg_temp.money_of('open'), '620.00 of 620.00', 'unknown is not failed');
select isnt_empty($$ select from app.outbox where key = pg_temp.no('open') $$, 'it is asked for again');

select is(pg_temp.hear(pg_temp.no('paid'), 'confirming'), 'paying confirming', 'the member is asked');
select is(package_info, 'package+/=', 'and gets what opens the page of WeChat') from app.transfers as t
join app.withdrawals as w on w.id = t.withdrawal_id where w.withdrawal_no = pg_temp.no('paid');
select is(
  app.begin_transfer(pg_temp.no('paid'), 'merchant 1', now()) -> 'can_be_confirmed', 'true',
  'which the worker need not request again'
);
select from pg_temp.hear(pg_temp.no('paid'), 'transferring');
select is(package_info, null, 'the page is of no use when the member has confirmed') from app.transfers as t
join app.withdrawals as w on w.id = t.withdrawal_id where w.withdrawal_no = pg_temp.no('paid');
select is(pg_temp.hear(pg_temp.no('paid'), 'succeeded'), 'paid succeeded', 'what WeChat transferred is paid');
select is(payment_ref, 'bill 1', 'with the number of WeChat') from app.withdrawals
where withdrawal_no = pg_temp.no('paid');
select is(package_info, null, 'the page can no longer be opened') from app.transfers as t
join app.withdrawals as w on w.id = t.withdrawal_id where w.withdrawal_no = pg_temp.no('paid');
select is(pg_temp.hear(pg_temp.no('paid'), s.state), 'paid succeeded', format('a late %s changes nothing', s.state))
from unnest('{confirming, failed, succeeded}'::text[]) as s (state);
select is(pg_temp.money_of('paid'), '620.00 of 620.00', 'the amount stays out');

select is(
  pg_temp.hear(pg_temp.no('failed'), 'failed', 'OVERDUE_CLOSE'), 'failed failed', 'what WeChat closed has failed'
);
select is(reason, 'OVERDUE_CLOSE', 'for the reason of WeChat') from app.withdrawals
where withdrawal_no = pg_temp.no('failed');
select is(pg_temp.hear(pg_temp.no('failed'), 'succeeded'), 'failed failed', 'and stays failed');
select is(
  pg_temp.hear(pg_temp.no('cancelled'), 'cancelled') || pg_temp.hear(pg_temp.no('cancelled'), 'cancelled'),
  'failed cancelledfailed cancelled', 'so has what was cancelled, heard twice'
);
select is(
  pg_temp.money_of('failed') || ', ' || pg_temp.money_of('cancelled'), '720.00 of 720.00, 720.00 of 720.00',
  'their amounts have returned once'
);
select results_eq(
  $$ select key from app.outbox
  where kind = 'transfer' $$, $$ select pg_temp.no('open') $$, 'nobody asks about what is decided'
);
select is_empty('select * from app.reconcile()', 'the books agree');

select * from finish();
rollback;
