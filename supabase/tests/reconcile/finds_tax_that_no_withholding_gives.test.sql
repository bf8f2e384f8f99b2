-- Guarantee money/tax-record
begin;
\ir ../support/fixture.psql
\ir ../support/withdrawals.psql
select plan(11);

select app.set_settings('{"tax_method": "per_payment"}', now());
create temporary table m as select n, pg_temp.reporter() as uid from generate_series(1, 2) as n;
select from m, pg_temp.earn(m.uid, 10);
create temporary table w as select m.n, pg_temp.approve(pg_temp.withdraw(m.uid, 5000)) as id from m;
select app.move_withdrawal(app.lock_withdrawal(id), 'paying', now()) from w;
select app.move_withdrawal(app.lock_withdrawal(id), 'failed', now(), 'No') from w where n = 2;
delete from app.settlement_jobs;
select is_empty('select * from app.reconcile()', 'the books agree');

create function pg_temp.finds(p_damage text) returns text language plpgsql as $$
declare
  v_found text;
begin
  set local session_replication_role = replica;
  execute p_damage;
  set local session_replication_role = origin;
  select string_agg(distinct r.check_name, ', ' order by r.check_name) into v_found from app.reconcile_tax() as r;
  raise exception using errcode = 'PT000', message = coalesce(v_found, 'nothing');
exception when sqlstate 'PT000' then
  return sqlerrm;
end
$$;
select is(pg_temp.finds(d.damage), d.found, d.sentence) from (values
  (
    1, 'update app.withdrawals set tax = tax + 0.01 where id = (select id from w where n = 1)',
    'tax_equals_its_withholding', 'a column that was changed'
  ),
  (
    2, 'update app.tax_withholdings set tax = tax - 0.01 where withdrawal_id = (select id from w where n = 1)',
    'tax_equals_its_withholding', 'a row that was changed'
  ),
  (
    3, 'delete from app.tax_withholdings where withdrawal_id = (select id from w where n = 1)',
    'tax_equals_its_withholding', 'a row that is missing'
  ),
  (
    4,
    'update app.tax_withholdings set uid = (select uid from m where n = 2) where withdrawal_id = (select id from w where n = 1)',
    'tax_equals_its_withholding', 'a row of another member'
  ),
  (
    5, 'update app.tax_withholdings set income = 4999 where withdrawal_id = (select id from w where n = 1)',
    'tax_equals_its_withholding', 'another income'
  ),
  (
    6,
    'update app.tax_withholdings set add_time = add_time - interval ''1 day'' where withdrawal_id = (select id from w where n = 1)',
    'tax_equals_its_withholding', 'another time'
  ),
  (
    7, 'delete from app.tax_withholdings where reverses_id is not null', 'tax_equals_its_withholding',
    'a reversal that is missing'
  ),
  (
    8, 'select app.reverse_tax(id, now()) from w where n = 1', 'tax_equals_its_withholding',
    'a reversal of what was not returned'
  ),
  (
    9, 'update app.tax_withholdings set month = month - interval ''1 month'' where reverses_id is not null',
    'reversal_equals_its_withholding', 'a reversal in another month'
  ),
  (
    10, 'update app.tax_withholdings set basic_deduction = 1 where reverses_id is not null',
    'reversal_equals_its_withholding', 'a reversal of another deduction'
  )
) as d (n, damage, found, sentence) order by d.n;
select * from finish();
rollback;
