-- Guarantee money/damage
begin;
\ir ../support/fixture.psql
\ir ../support/withdrawals.psql
\ir ../support/transfers.psql
\ir ../support/forgery.psql
select plan(6);

create temporary table w as select pg_temp.approved_transfer(pg_temp.wechat_member()) as no;
create temporary table t as select pg_temp.asked_transfer(pg_temp.wechat_member()) as no;
select pg_temp.hear(no, 'confirming') from t;
create temporary table known as select check_name, subject from app.reconcile();
select is_empty('select * from known', 'nothing to find');
select matches(pg_temp.found(d.damage), d.check_name, d.sentence) from (values
  (
    'delete from app.outbox where key = (select no from w)', 'open_transfer_is_in_the_outbox',
    'an approved withdrawal that is never requested'
  ),
  (
    'delete from app.outbox where key = (select no from t)', 'open_transfer_is_in_the_outbox',
    'a transfer that is never queried'
  ),
  (
    'insert into app.outbox (kind, key, run_after, created_at) values (''transfer'', ''W0'', now(), now())',
    'outbox_has_open_transfers_only', 'a call for no withdrawal'
  ),
  (
    'delete from app.transfers where asked_at is null', 'withdrawal_to_wechat_has_a_transfer',
    'a withdrawal without a payee'
  ),
  (
    'update app.transfers set asked_at = null, first_asked_at = null', 'transfer_was_requested_before_it_ended',
    'a transfer that nobody requested'
  )
) as d (damage, check_name, sentence);

select * from finish();
rollback;
