begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
\ir ../../support/transfers.psql
grant store_api to postgres;
select plan(7);

create temporary table m as select pg_temp.wechat_member() as a, pg_temp.wechat_member() as other;
create temporary table w as select pg_temp.asked_transfer(a) as no from m;
create function pg_temp.own(p_uid bigint) returns jsonb language sql as $$
  select pg_temp.read(p_uid, 'get_withdrawal', jsonb_build_object('p_id', l.id)) from app.withdrawals as l
$$;
select is(pg_temp.own(a) -> 'confirmation', 'null', 'before WeChat waits, there is nothing to confirm') from m;
select pg_temp.hear(no, 'confirming') from w;
select is(
  pg_temp.own(a) -> 'confirmation', '{"mch_id": "merchant 1", "app_id": "wx1", "package": "package+/="}',
  'while it waits, the member gets what opens its page'
)
from m;
select is(
  pg_temp.call(
    (select u.auth_id from app.users as u where u.uid = m.other), 'get_withdrawal', jsonb_build_object('p_id', l.id),
    'authenticated'
  ),
  'PT404 withdrawal_not_found',
  'nobody else does'
) from m, app.withdrawals as l;
select is(pg_temp.own(a) ->> 'transfer_state', 'confirming', 'the state says that it waits') from m;
select unalike(pg_temp.own(a)::text, '%openid%', 'the id of the member at WeChat is not shown') from m;
select from app.cancel_transfer((select l from app.withdrawals as l), now());
select is(pg_temp.own(a) -> 'confirmation', 'null', 'a cancelled transfer is not to be confirmed') from m;
select pg_temp.hear(no, 'succeeded') from w;
select is(pg_temp.own(a) -> 'confirmation', 'null', 'nor one that was paid') from m;

select * from finish();
rollback;
