-- Guarantee access/own-data: Members reach only their own data
-- By: row-level security, a policy beside each table
begin;
\ir ../support/fixture.psql
select plan(18);

create temporary table m as select pg_temp.reporter() as a;
create temporary table n as select pg_temp.sign_up((select a::text from m)) as b;
select pg_temp.report((select b from n));
select app.request_refund((select max(id) from app.orders where uid = (select b from n)), null, '', now());
select app.deliver_order(max(id), now(), 'SF', 'SF1001') from app.orders
where uid in (select a from m union select b from n) group by uid;
select app.release_members('2026-01-02', array[(select a from m)], now());
select pg_temp.grade((select b from n), 1);
create temporary table who as select u.uid, u.auth_id from app.users as u;
grant select on who, m, n to authenticated;

select set_config('request.jwt.claims', jsonb_build_object('sub', auth_id, 'role', 'authenticated')::text, true)
from who where uid = (select b from n);
set local role authenticated;
select results_eq('select uid from app.users', 'select b from n', 'a member reads only their own member');
select results_eq('select uid from app.user_balances', 'select b from n', 'only their own balances');
select results_eq('select distinct uid from app.orders', 'select b from n', 'only their own orders');
select is((select count(*) from app.order_lines), 1::bigint, 'only the lines of their own orders');
select is((select count(*) from app.parcels), 1::bigint, 'only the parcels of their own orders');
select is_empty('select * from app.user_bill', 'only their own bill, which is empty');
select is_empty('select * from app.settlements', 'no settlement that paid somebody else');
select is_empty('select * from app.points_release_log', 'no release of somebody else');
select is((select count(*) from app.refunds), 1::bigint, 'only their own refunds');
select is((select count(*) from app.refund_lines), 1::bigint, 'only the lines of their own refunds');
select is((select count(*) from app.level_changes), 1::bigint, 'only their own level changes');
select results_eq('select distinct uid from app.events', 'select b from n', 'only the events that concern them');
select throws_ok('select * from app.settlement_jobs', '42501', null, 'no settlement jobs');
select throws_ok('select * from app.no_assess_changes', '42501', null, 'no changes of the no-assess flag');
select throws_ok('update app.user_balances set brokerage_price = 1', '42501', null, 'they cannot write');
select throws_ok(
  'select app.pay_order(1, ''x'', ''y'', now())', '42501', null, 'they cannot execute internal functions'
);
select throws_ok(
  'select api.set_no_assess(1, true)', '42501', null, 'they cannot execute functions for administrators'
);
reset role;
set local role anon;
select throws_ok('select * from app.users', '42501', null, 'a visitor cannot read members');
reset role;

select * from finish();
rollback;
