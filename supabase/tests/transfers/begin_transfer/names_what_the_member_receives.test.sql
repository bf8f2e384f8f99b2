begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
\ir ../../support/transfers.psql
select plan(3);

update app.settings set withdrawal_fee_rate = 0.006;
create temporary table w as select pg_temp.approved_transfer(pg_temp.wechat_member()) as no;
select is(
  app.begin_transfer(no, 'merchant 1', now()) -> 'amount_minor', '9940', 'WeChat is asked for the amount less the fee'
)
from w;
select is(pg_temp.hear(no, 'failed'), 'failed failed', 'the transfer fails') from w;
select is(app.begin_transfer(no, 'merchant 1', now()), null, 'a withdrawal that has failed is not begun again') from w;

select * from finish();
rollback;
