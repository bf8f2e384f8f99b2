-- Guarantee operation/waiting: Administrators see within a minute what waits for them, and nothing that they may not
-- decide
-- By: the tables themselves, app.waiting_items
begin;
\ir ../support/fixture.psql
\ir ../support/withdrawals.psql
grant store_api to postgres;
select plan(30);

delete from app.settings_checks;
create temporary table admins as select pg_temp.administrator() as one, pg_temp.administrator() as two,
  pg_temp.administrator() as finance,
  pg_temp.administrator() as service, pg_temp.administrator() as content;
update app.administrators as a set roles = array[r.role]
from admins as o
cross join lateral (values (o.finance, 'finance'), (o.service, 'service'), (o.content, 'content')) as r (id, role)
where a.auth_id = r.id;

select is((
  select string_agg(l.value ->> 'kind', ' ' order by l.ordinality)
  from admins as a, jsonb_array_elements(pg_temp.call(a.one, 'get_waiting')::jsonb -> 'list') with ordinality as l
),
'shipment refund overdue_person_request person_request payment withdrawal_approval withdrawal_payment adjustment month_to_close low_stock failed_call failed_settlement late_job reconcile_finding settings_finding stopped_webhook',
  'an owner sees every kind, also of which nothing waits');
select is(pg_temp.waits(a.one), 'nothing', 'nothing waits in a new store') from admins as a;

-- One of each kind, of members.
create temporary table m as select pg_temp.sign_up() as buyer, pg_temp.reporter() as earner;
update app.orders set state = 'delivered', delivered_at = paid_at where uid = (select m.earner from m);
select from m, pg_temp.earn(m.earner);
create temporary table o as select pg_temp.buy(m.buyer) as to_ship, pg_temp.report(m.buyer) as refunded,
  pg_temp.report(m.buyer) as asked, pg_temp.report(m.buyer) as shipped
  from m;
select app.refund_order(o.refunded, null, null, now()) from o;
select app.request_refund(o.asked, null, 'Too small', now()) from o;
select app.deliver_order(o.shipped, now(), null, null) from o;
create temporary table w as select pg_temp.withdraw(m.earner, 60) as id from m;
insert into app.adjustments (uid, brokerage_delta, reason, state, created_by, add_time) select m.buyer, 5000,
  'An old debt', 'waiting', a.two, now()
from m, admins as a;
insert into app.outbox (kind, key, state, run_after, created_at) values (
  'upload_shipping', '1', 'failed', now(), now()
),
  ('upload_shipping', '2', 'waiting', now(), now());
update app.settlement_jobs set state = 'dead' where order_id = (select o.to_ship from o);
insert into app.reconcile_runs (started_at, finished_at, findings) values (now(), now(), 3);
insert into app.reconcile_runs (started_at, findings) values (now(), 0);
insert into app.settings_checks (checked_at, findings) values (
  now(), '{share_address share page, article_pool articles}'
);

select is(pg_temp.waits(a.one),
  'shipment 2, refund 1, withdrawal_approval 1, adjustment 1, failed_call 1, failed_settlement 1, reconcile_finding 3, settings_finding 2',
  'an owner sees what waits: a refunded and a shipped order do not, one with a refund request does') from admins as a;
select is(
  pg_temp.waits(a.finance),
  'refund 1, withdrawal_approval 1, adjustment 1, failed_call 1, failed_settlement 1, reconcile_finding 3',
  'finance sees refunds and money'
)
from admins as a;
select is(pg_temp.waits(a.service), 'shipment 2, refund 1', 'service sees shipments and refunds') from admins as a;
select is(pg_temp.waits(a.content), 'nothing', 'for content, nothing') from admins as a;
insert into app.products (title, price, is_show, is_del, stock, low_stock) values
  ('Low', 1, true, false, 4, 5), ('Sold out', 1, true, false, 0, 1), ('Enough', 1, true, false, 5, 5),
    ('Sold out, nobody cares', 1, true, false, 0, 0), ('Off sale', 1, false, false, 0, 5),
  ('Gone', 1, true, true, 0, 5), ('Unlimited', 1, true, false, null, 5);
select is(
  array[pg_temp.waits(a.content), (
    pg_temp.call(a.content, 'admin_get_products', '{"p_is_low": true, "p_is_show": true}')::jsonb ->> 'count'
  )],
  '{low_stock 2, 2}',
  'but products on sale with fewer units than they should have, which the list shows'
) from admins as a;
update app.products set low_stock = 0;
select is(
  pg_temp.waits(a.two), replace(pg_temp.waits(a.one), 'adjustment 1, ', ''),
  'what an administrator has made does not wait for them'
)
from admins as a;
select is(
  pg_temp.call((select u.auth_id from app.users as u, m where u.uid = m.buyer), 'get_waiting'), 'PT403 forbidden',
  'a member with the role of an old token is refused'
);
select is(
  left(
    pg_temp.call((select u.auth_id from app.users as u, m where u.uid = m.buyer), 'get_waiting', '{}', 'authenticated'),
    5
  ),
  '42501', 'a member is refused'
);

-- The lists show the rows that are counted.
create function pg_temp.listed(p_by uuid, p_function text, p_kind text) returns bigint language plpgsql as $$
begin
  return (pg_temp.call(p_by, p_function, jsonb_build_object('p_waiting', p_kind))::jsonb ->> 'count')::bigint;
end
$$;
select is(
  array[(
    pg_temp.call(a.two, 'get_orders_to_ship')::jsonb ->> 'count'
  )::bigint, pg_temp.listed(a.two, 'admin_get_orders', 'refund'),
    pg_temp.listed(a.two, 'admin_get_orders', 'payment'),
    pg_temp.listed(a.two, 'admin_get_withdrawals', 'withdrawal_approval'),
    pg_temp.listed(a.two, 'admin_get_withdrawals', 'withdrawal_payment'),
    pg_temp.listed(a.two, 'get_adjustments', 'adjustment'), pg_temp.listed(a.one, 'get_adjustments', 'adjustment')],
  '{2, 1, 0, 1, 0, 0, 1}', 'the lists show what is counted'
) from admins as a;
select is(
  (pg_temp.call(a.two, 'get_reconcile_report')::jsonb ->> 'findings')::integer, 3,
  'the report is that of the last reconciliation that has finished'
) from admins as a;

-- A request whose goods are on their way waits for nobody, and again when they have arrived.
select
from app.set_settings(
  '{"return_address": {"name": "Returns", "phone": "0755 2660 0000", "region": ["广东省"], "street": "Gate 4"}}', now()
);
select from o, app.deliver_order(o.asked, now(), null, null), app.request_return(o.asked, now());
select is(
  array[substring(pg_temp.waits(a.service) from 'refund.*'), pg_temp.listed(a.two, 'admin_get_orders', 'refund')::text],
  '{null, 0}', 'goods that the buyer has to send wait for nobody'
) from admins as a;
select from o, app.send_return(o.asked, 'SF', 'R1', now());
select is(substring(pg_temp.waits(a.service) from 'refund.*'), null, 'nor do those on their way') from admins as a;
select from o, app.receive_return(o.asked, now());
select is(
  array[substring(pg_temp.waits(a.service) from 'refund.*'), pg_temp.listed(a.two, 'admin_get_orders', 'refund')::text],
  '{refund 1, 1}', 'those that have arrived wait for a decision'
) from admins as a;
update app.orders set state = 'paid', delivered_at = null where id = (select o.asked from o);

-- What concerns the administrator's own member waits for the others.
update app.users as u set auth_id = null from admins as a where u.auth_id = a.one;
update app.users as u set auth_id = a.one from admins as a, m where u.uid = m.buyer;
select
  is(pg_temp.waits(a.one),
  'withdrawal_approval 1, failed_call 1, failed_settlement 1, reconcile_finding 3, settings_finding 2',
  'orders and balances of their own do not wait for an administrator') from admins as a;
select is(
  array[pg_temp.listed(
    a.one, 'admin_get_orders', 'shipment'
  ), pg_temp.listed(a.one, 'admin_get_orders', 'refund'), pg_temp.listed(a.one, 'get_adjustments', 'adjustment')],
  '{0, 0, 0}', 'nor do the lists show them'
) from admins as a;
update app.users as u set auth_id = null from admins as a where u.auth_id = a.one;
update app.users as u set auth_id = a.one from admins as a, m where u.uid = m.earner;
select is(substring(pg_temp.waits(a.one) from 'withdrawal_\w+'), null, 'nor do withdrawals of their own')
from admins as a;
update app.users as u set auth_id = null from admins as a where u.auth_id = a.one;

-- Whoever approved a withdrawal does not pay it, if another can.
select pg_temp.call(a.two, 'approve_withdrawal', jsonb_build_object('p_id', w.id)) is not null from admins as a, w;
select is(substring(pg_temp.waits(a.two) from 'withdrawal_\w+'), null, 'whoever approved it does not pay it')
from admins as a;
select is(substring(pg_temp.waits(a.finance) from 'withdrawal_\w+'), 'withdrawal_payment', 'the others do')
from admins as a;
select is(
  array[pg_temp.listed(a.two, 'admin_get_withdrawals', 'withdrawal_payment'), pg_temp.listed(
    a.finance, 'admin_get_withdrawals', 'withdrawal_payment'
  ),
    pg_temp.listed(a.finance, 'admin_get_withdrawals', 'withdrawal_approval')], '{0, 1, 0}', 'the lists say the same'
) from admins as a;
update auth.users as u set banned_until = now() + interval '1 day' from admins as a where u.id in (a.one, a.finance);
select is(
  substring(pg_temp.waits(a.two) from 'withdrawal_\w+'), 'withdrawal_payment',
  'without another administrator, it waits for them again'
)
from admins as a;
update auth.users as u set banned_until = null from admins as a where u.id in (a.one, a.finance);
update app.withdrawals as l set method = 'wechat', account_id = null from w where l.id = w.id;
select is(
  substring(pg_temp.waits(a.finance) from 'withdrawal_\w+'), null, 'WeChat pays its transfers without an administrator'
)
from admins as a;

-- A month that is over.
insert into app.user_bill (
  uid, type, source, available_delta, order_id, brokerage_after, frozen_after, available_after, add_time
)
select m.buyer, 'points_returned', 'checkout', 2.5, o.asked, 0, 0, 2.5,
  (app.month_bounds(app.month_of(now()))).begins_at - interval '1 day'
from m, o;
select is(
  substring(pg_temp.waits(a.finance) from 'month[^,]*'), 'month_to_close 1', 'a month of the bill waits when it is over'
)
from admins as a;
select from admins as a, app.close_month(to_char(app.month_of(now()) - 1, 'YYYY-MM'), a.finance);
select is(substring(pg_temp.waits(a.finance) from 'month[^,]*'), null, 'until it is closed') from admins as a;

-- A count ends at its limit.
create or replace function app.waiting_limit() returns integer language sql immutable as 'select 1';
select is(
  substring(pg_temp.waits(a.one) from '^[^,]*'), 'shipment 1 and more',
  'above the limit, a count says that there are more'
)
from admins as a;
select is(substring(pg_temp.waits(a.service) from 'refund.*'), 'refund 1', 'at the limit, it does not')
from admins as a;

-- The stored check.
select app.check_settings();
select is(
  (select c.findings from app.settings_checks as c),
  array(select concat_ws(' ', v.check_id, v.subject) from app.verify_agent_config() as v
    where v.severity in ('error', 'warning') and v.check_id not in (select e.check_id from app.verify_end_to_end() as e)
    order by v.check_id, v.subject),
  'the scheduled check finds what the configuration check finds, without test orders'
);
update app.settings set h5_share_url = 'http://localhost/h5';
update app.function_settings set project_url = 'https://x.supabase.co';
insert into app.function_settings (project_url, functions_url, variables, reported_at) values (
  'https://x.supabase.co', 'https://x.supabase.co/functions/v1', '{}', now()
) on conflict do nothing;
select app.check_settings();
select ok('share_address share page' = any (c.findings), 'a new finding replaces the result')
from app.settings_checks as c;
select is((select count(*) from app.settings_checks), 1::bigint, 'there is one result');

select * from finish();
rollback;
