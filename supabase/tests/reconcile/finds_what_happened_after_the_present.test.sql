begin;
\ir ../support/fixture.psql
\ir ../support/forgery.psql
select plan(10);

-- A clock that was ahead leaves rows behind. A receipt in the future makes commission mature late, and an order that
-- was shipped then is received late.
create temporary table m as select pg_temp.reporter() as a;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select a::text from m)), 2) as id;
create temporary table line as select l.id from app.order_lines as l join o on o.id = l.order_id;
select app.refund_order(o.id, jsonb_build_array(jsonb_build_object('line_id', line.id, 'quantity', 1)), null, now())
from o, line;
create temporary table known as select check_name, subject from app.reconcile();
create temporary table later as select now() + interval '10 days' as at;

select is(
  (select r.actual from app.reconcile_times() as r where r.subject = format('uid %s', m.a)), null,
  'what happens now is no finding'
)
from m;
select matches(pg_temp.found(d.damage), 'no_row_is_from_the_future', format('reconcile() finds %s', d.sentence))
from (values
  ('update app.orders set add_time = at from later where id = (select id from o)', 'an order that was placed later'),
  ('update app.orders set paid_at = at from later where id = (select id from o)', 'an order that was paid later'),
  (
    'update app.orders set state = ''delivered'', delivered_at = at from later where id = (select id from o)',
    'an order that was shipped later'
  ),
  (
    'update app.orders set state = ''received'', delivered_at = now(), received_at = at from later where id = (select id from o)',
    'an order that was received later'
  ),
  ('update app.settlements set settled_at = at from later where order_id = (select id from o)', 'a settlement'),
  (
    'update app.refunds set created_at = at, decided_at = at from later where order_id = (select id from o)', 'a refund'
  ),
  ('insert into app.payment_attempts (order_id, attempt_no, provider, method, amount, add_time, expires_at)
    select o.id, ''forged-1'', ''local'', ''local'', 1, later.at, later.at + interval ''1 hour'' from o, later', 'an attempt to pay'),
  (
    'insert into app.adjustments (uid, brokerage_delta, reason, state, add_time) select m.a, 1, ''Test'', ''waiting'', later.at from m, later',
    'an adjustment that waits'
  ),
  ('insert into app.withdrawals (withdrawal_no, uid, method, account_hint, amount, fee, add_time)
    select ''FORGED1'', m.a, ''wechat'', '''', 1, 0, later.at from m, later', 'a withdrawal')
) as d (damage, sentence);

select * from finish();
rollback;
