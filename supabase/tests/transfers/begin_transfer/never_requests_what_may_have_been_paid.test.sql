-- Guarantee money/transfer-repeated: No other merchant repeats a withdrawal to WeChat, and nobody does when WeChat may
-- have forgotten it
-- By: merchant and time are stored before the first request, app.begin_transfer
begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
\ir ../../support/transfers.psql
select plan(12);

create temporary table w as
select pg_temp.asked_transfer(pg_temp.wechat_member()) as asked,
  pg_temp.asked_transfer(pg_temp.wechat_member(), now() - interval '40 days') as old,
  pg_temp.approved_transfer(pg_temp.wechat_member()) as new;
create function pg_temp.transfer(p_no text) returns app.transfers language sql as $$
  select t from app.transfers as t join app.withdrawals as l on l.id = t.withdrawal_id where l.withdrawal_no = p_no
$$;

-- Another merchant does not know the transfer, and would pay it again.
select throws_ok(
  $$ select app.begin_transfer(asked, 'merchant 2', now())
  from w $$, 'PT409', 'withdrawal_state_conflict', 'another merchant cannot continue a transfer'
);
select is((pg_temp.transfer(asked)).mchid, 'merchant 1', 'the merchant of the first request stays') from w;
select is(
  app.begin_transfer(asked, 'merchant 1', now() + interval '28 days') -> 'may_request', 'true',
  'the first merchant may request it again'
)
from w;
select is(
  app.begin_transfer(new, 'merchant 2', now()) -> 'may_request', 'true',
  'a transfer that was never requested has no merchant yet'
)
from w;
select is((pg_temp.transfer(new)).mchid, 'merchant 2', 'the request names the merchant before it is sent') from w;
select throws_ok(
  format('select app.begin_transfer(new, %L, now()) from w', m.id), 'PT422', 'invalid_argument',
  'an id of a merchant is a short text'
)
from unnest(array[null, '', repeat('1', 65)]) as m (id);

-- WeChat forgets a transfer after 30 days.
create temporary table t as select now() - interval '40 days' + interval '29 days' as at;
select is(
  app.begin_transfer(old, 'merchant 1', at - interval '1 second') -> 'may_request', 'true',
  'a request is repeated for 29 days'
)
from w, t;
select is(app.begin_transfer(old, 'merchant 1', at) -> 'may_request', 'false', 'then no more') from w, t;
select is((pg_temp.transfer(old)).asked_at, at - interval '1 second', 'the last request stays known') from w, t;
select is(
  pg_temp.hear(old, 'unknown', null, now()), 'paying',
  'what WeChat has forgotten stays open until an administrator has looked it up'
)
from w;

select * from finish();
rollback;
