begin;
\ir ../support/fixture.psql
\ir ../support/forgery.psql
select plan(7);

create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m))) as id;
select from o, app.confirm_receipt(o.id, now());
update app.settings set withdrawal_methods = '{bank, alipay, wechat}';
create temporary table w as select (app.request_withdrawal(m.a, 100, 'wechat', null, now() + interval '7 days')).id from m;
create temporary table r as
select (app.end_withdrawal(w.id, 'refused', 'Test', null, now() + interval '8 days')).id as refused,
  (app.request_withdrawal(m.a, 50, 'wechat', null, now() + interval '9 days')).id as open from m, w;
create temporary table known as select check_name, subject from app.reconcile();
select is_empty($$ select k.* from known as k, m, o where k.subject in (format('uid %s', m.a), format('order %s', o.id)) or k.subject like 'withdrawal %' $$, 'nothing to find');

select matches(pg_temp.found(d.damage), '\m' || d.check_name || '\M', d.sentence) from (values
  ('delete from app.commission_maturities where order_id = (select id from o)', 'maturity_equals_its_settlement', 'a commission without maturity'),
  ('update app.commission_maturities set matures_at = matures_at - interval ''1 day'' where order_id = (select id from o)', 'maturity_equals_its_settlement', 'a commission that matures too early'),
  ('update app.withdrawals set amount = 51 where id = (select open from r)', 'withdrawal_equals_its_bill_rows', 'a withdrawal of more than was taken'),
  ('update app.withdrawals set state = ''refused'', reason = ''Test'', ended_at = now() where id = (select open from r)', 'withdrawal_equals_its_bill_rows', 'a refused withdrawal whose money did not come back'),
  ('delete from app.user_bill where withdrawal_id = (select refused from r) and type = ''withdrawal_returned''', 'withdrawal_equals_its_bill_rows', 'a return without a row'),
  ('update app.user_balances set total_brokerage = total_brokerage - 50 where uid = (select a from m)', 'balance_equals_bill', 'a withdrawal that was taken from what was earned')
) as d (damage, check_name, sentence);

select * from finish();
rollback;
