-- Guarantee money/transfer-notification: A notification of WeChat that contradicts how a withdrawal ended is shown as
-- refused
-- By: app.record_transfer_notification
begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
\ir ../../support/transfers.psql
select plan(12);

create temporary table m as select pg_temp.wechat_member() as a;
create temporary table w as select pg_temp.asked_transfer(a) as no from m;
create function pg_temp.notify(
  p_state text, p_no text, p_amount numeric default 100, p_openid text default null, p_provider text default 'wechat'
) returns text language sql as $$
  select concat_ws(': ', r.outcome, r.reason) from m, app.record_transfer_notification(
    p_provider, 'transfer event', p_no, coalesce(p_openid, 'openid ' || m.a), p_amount, p_state, 'bill 1',
    case p_state when 'failed' then 'ACCOUNT_FROZEN' end, now()
  ) as r
$$;
select is(
  pg_temp.notify('succeeded', 'W0'), 'ignored: transfer_unknown', 'a transfer that the store did not request is ignored'
);
select is(
  pg_temp.notify('succeeded', no, p_provider => 'local'), 'ignored: transfer_unknown', 'so is one of another provider'
)
from w;
select is(pg_temp.notify('succeeded', no, 99.99), 'refused: amount_differs', 'another amount is refused') from w;
select is(pg_temp.notify('succeeded', no, null), 'refused: amount_differs', 'and no amount') from w;
select is(pg_temp.notify('succeeded', no, 100, 'somebody'), 'refused: payee_differs', 'and another payee') from w;
select is((select l.state from app.withdrawals as l), 'paying', 'none of them decides it');
select is(
  pg_temp.notify('failed', no) || ', ' || pg_temp.notify('failed', no),
  'transfer: ACCOUNT_FROZEN, transfer: ACCOUNT_FROZEN', 'what WeChat notifies is recorded, also twice'
)
from w;
select is(pg_temp.money(a), '720.00 of 720.00', 'and the amount returns once') from m;
select is(
  pg_temp.notify('succeeded', no), 'refused: state_differs',
  'that it was paid after all is refused, so that somebody looks'
)
from w;
select is(pg_temp.money(a), '720.00 of 720.00', 'and changes nothing') from m;
create temporary table approved as select pg_temp.approved_transfer(a) as no from m;
select is(pg_temp.notify('succeeded', no), 'refused: state_differs', 'so is a payment that the store has not requested')
from approved;
select results_eq(
  $$ select outcome, count(*)::integer from app.payment_notifications where event_id = 'transfer event' group by outcome
  order by outcome $$,
  $$ values ('ignored', 2), ('refused', 5), ('transfer', 2) $$, 'every notification is recorded'
);

select * from finish();
rollback;
