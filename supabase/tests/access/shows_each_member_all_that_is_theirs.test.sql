-- Guarantee access/own-data
begin;
\ir ../support/fixture.psql
select plan(28);

-- Two members with data in every table, to detect policies that are too narrow or too wide.
create temporary table m as select n, pg_temp.reporter() as uid from generate_series(1, 2) as n;
create temporary table o as select m.n, pg_temp.report(pg_temp.sign_up(m.uid::text)) as sold,
  pg_temp.report(m.uid) as bought
  from m;
select app.request_refund(bought, null, '', now()) from o;
select app.deliver_order(bought, now(), 'SF', 'SF1001') from o;
select app.release_members('2026-01-02', array(select uid from m), now());
select pg_temp.grade(uid, 1) from m;
insert into app.provider_refunds (
  refund_no, order_id, provider, payment_no, pay_ref, amount, total, created_at
) select 'own-'
  || bought,
  bought, 'test', bought, bought, 1, 1, now()
from o;
insert into app.withdrawals (withdrawal_no, uid, method, account_hint, amount, fee, add_time) select 'OWN'
  || lpad(uid::text, 6, '0'),
  uid, 'bank', 'Bank', 10, 0, now()
from m;
create temporary table who as select m.n, u.uid, u.auth_id from m join app.users as u on u.uid = m.uid;
grant select on who to authenticated;

create temporary table expected as
select w.n, t.name, t.amount from who as w cross join lateral (values
  ('users', 1::bigint), ('user_balances', 1), ('orders', 2), ('order_lines', 2), ('parcels', 1), ('settlements', 1),
  ('user_bill', (select count(*) from app.user_bill as l where l.uid = w.uid)), ('points_release_log', 1),
  ('level_changes', 1), ('refunds', 1), ('refund_lines', 1),
  ('commission_maturities', 1), ('provider_refunds', 1), ('withdrawals', 1),
  ('events', (select count(*) from app.events as e where e.uid = w.uid))
) as t (name, amount);
create function pg_temp.seen(p_n integer, p_table text) returns bigint language plpgsql as $$
declare v_seen bigint; begin
  perform set_config('request.jwt.claims', jsonb_build_object('sub', w.auth_id, 'role', 'authenticated')::text, true)
  from who as w where w.n = p_n;
  perform set_config('role', 'authenticated', true);
  execute format('select count(*) from app.%I', p_table) into v_seen;
  perform set_config('role', 'none', true);
  return v_seen;
end $$;
select is(pg_temp.seen(1, e.name), e.amount, format('the first sees their %s, all of them and no more', e.name))
from expected as e where e.n = 1;
select is(pg_temp.seen(2, e.name), e.amount, format('so does the second, %s', e.name)) from expected as e
where e.n = 2 and e.name not in ('users', 'user_balances');

select * from finish();
rollback;
