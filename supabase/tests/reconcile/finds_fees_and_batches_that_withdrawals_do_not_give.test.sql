-- Guarantee money/damage
begin;
\ir ../support/fixture.psql
\ir ../support/withdrawals.psql
select plan(11);

select app.set_settings('{"withdrawal_fee_rate": 0.006, "withdrawal_minimum": 1}', now());
create temporary table m as select n, pg_temp.reporter() as uid from generate_series(1, 3) as n;
select from m, pg_temp.earn(m.uid, 2);
create temporary table w as
select m.n, pg_temp.approve(pg_temp.withdraw(m.uid, 100.99 + m.n)) as id from m order by m.n;
select from app.create_withdrawal_batch('bank', array(select id from w where n < 3 order by id), null, null, now());
select is(
  (select array_agg(concat_ws(' ', x.fee, x.fee_rate) order by x.id) from app.withdrawals as x join w on w.id = x.id),
  '{"0.61 0.00600","0.61 0.00600","0.62 0.00600"}', 'a withdrawal stores the rate of its fee'
);
select app.set_settings('{"withdrawal_fee_rate": 0.1}', now());
select from w, app.move_withdrawal(app.lock_withdrawal(w.id), 'failed', now(), 'No') where w.n = 2;
delete from app.settlement_jobs;
select is_empty('select * from app.reconcile()', 'the books agree after the rate has changed');

create function pg_temp.finds(p_damage text) returns text language plpgsql as $$
declare
  v_found text;
begin
  set local session_replication_role = replica;
  execute p_damage;
  set local session_replication_role = origin;
  select string_agg(distinct r.check_name, ', ' order by r.check_name) into v_found
  from (select * from app.reconcile_fees() union all select * from app.reconcile_batches()) as r;
  raise exception using errcode = 'PT000', message = coalesce(v_found, 'nothing');
exception when sqlstate 'PT000' then
  return sqlerrm;
end
$$;
select is(pg_temp.finds(d.damage), d.found, d.sentence) from (values
  (
    1, 'update app.withdrawals set fee = fee + 0.01 where id = (select id from w where n = 3)',
    'fee_is_amount_times_rate', 'a fee that was changed'
  ),
  (
    2, 'update app.withdrawals set fee = fee - 0.01 where id = (select id from w where n = 1)',
    'batch_equals_its_withdrawals, fee_is_amount_times_rate', 'a fee of a batch that was changed'
  ),
  (
    3, 'update app.withdrawals set fee_rate = 0.007 where id = (select id from w where n = 3)',
    'fee_is_amount_times_rate', 'a rate that was changed'
  ),
  (
    4, 'update app.withdrawals set fee_rate = null, fee = 0.5 where id = (select id from w where n = 3)',
    'nothing', 'no fee of a request from before 2.0.0'
  ),
  (
    5, 'update app.withdrawal_batches set amount = amount + 1', 'batch_equals_its_withdrawals',
    'a batch of another amount'
  ),
  (
    6, 'update app.withdrawal_batches set withdrawals = 3', 'batch_equals_its_withdrawals',
    'a batch of another number'
  ),
  (
    7, 'update app.withdrawals set batch_id = null where id = (select id from w where n = 2)',
    'batch_equals_its_withdrawals', 'a withdrawal that left its batch'
  ),
  (
    8,
    'update app.withdrawals set paying_at = paying_at + interval ''1 day'' where id = (select id from w where n = 1)',
    'batch_equals_its_withdrawals', 'a withdrawal that became paying at another time'
  ),
  (
    9, 'update app.withdrawal_batches set method = ''alipay''', 'batch_equals_its_withdrawals',
    'a batch of another method'
  )
) as d (n, damage, found, sentence) order by d.n;
select * from finish();
rollback;
