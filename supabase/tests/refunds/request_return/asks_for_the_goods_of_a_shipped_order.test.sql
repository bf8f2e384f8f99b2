begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(13);

create temporary table a as select pg_temp.administrator() as id;
create temporary table o as select pg_temp.buy(m.buyer) as shipped, pg_temp.buy(m.buyer) as here, m.buyer
  from (select pg_temp.sign_up() as buyer) as m;
create function pg_temp.ask(p_order_id bigint) returns text language sql as $$
  select pg_temp.call(a.id, 'request_return', jsonb_build_object('p_order_id', p_order_id)) from a
$$;
select from o, app.deliver_order(o.shipped, now(), 'SF', 'SF1001');

select is(pg_temp.ask(shipped), 'PT404 refund_not_found', 'an order without a request has nothing to answer') from o;
select is(pg_temp.ask(0), 'PT404 order_not_found', 'nor has an unknown order');
select from o, app.request_refund(o.shipped, null, 'Too small', now());
select from o, app.request_refund(o.here, null, 'Too small', now());
select is(pg_temp.ask(shipped), 'PT409 refund_state_conflict', 'without a return address, goods cannot be asked for')
from o;

select
from app.set_settings(
  '{"return_address": {"name": "Returns", "phone": "0755 2660 0000", "region": ["广东省", "深圳市"], "street": "Gate 4"}}',
  now()
);
select is(pg_temp.ask(here), 'PT409 order_state_conflict', 'nor can goods that have not left the store') from o;
select is(
  (select r - 'asked_at' from o, jsonb_extract_path(pg_temp.ask(o.shipped)::jsonb, 'goods_return') as r),
  '{"state": "asked", "address": {"name": "Returns", "phone": "0755 2660 0000", "region": ["广东省", "深圳市"], "street": "Gate 4"}, "carrier": null, "carrier_code": null,
    "carrier_name": null, "carrier_name_zh": null, "tracking_no": null, "tracking_url": null, "sent_at": null, "received_at": null}'::jsonb,
  'the goods of a shipped order are asked for at the return address'
);
select results_eq(
  'select r.state, x.refund_status from o join app.refunds as r on r.order_id = o.shipped join app.orders as x on x.id = o.shipped',
  $$ values ('requested', 1::smallint) $$, 'the request stays open'
);
select
  is((select x.from_value || jsonb_build_object('to', x.to_value) from app.admin_actions as x
  where x.function = 'request_return'),
  '{"return_state": null, "to": {"return_state": "asked"}}', 'the action log says who asked');

select
from app.set_settings(
  '{"return_address": {"name": "Other", "phone": "0755 2660 0000", "region": ["广东省"], "street": "Gate 5"}}', now()
);
select is(
  pg_temp.ask(shipped)::jsonb #>> '{goods_return,address,name}', 'Returns',
  'a repeated call keeps the address, whatever the settings are by then'
)
from o;
select is(
  (
    select count(*) from app.events as e, o
    where e.type = 'refund.return_requested' and e.subject_id = o.shipped and e.uid = o.buyer
  ),
  1::bigint, 'it is told once'
);

create temporary table kept as select pg_temp.buy(o.buyer) as id from o;
select from kept as k, app.deliver_order(k.id, now(), 'SF', 'SF1002');
select from kept as k, app.confirm_receipt(k.id, now());
select from kept as k, app.request_refund(k.id, null, 'Too small', now());
select is(pg_temp.ask(id)::jsonb #>> '{goods_return,state}', 'asked', 'goods that were received can be asked for, too')
from kept;

update app.administrators as d set roles = '{content}' from a where d.auth_id = a.id;
select is(pg_temp.ask(shipped), 'PT403 forbidden', 'a role without refunds may not ask') from o;
update app.administrators as d set roles = '{service}' from a where d.auth_id = a.id;
update app.users as u set auth_id = null from a where u.auth_id = a.id;
update app.users as u set auth_id = a.id from a, o where u.uid = o.buyer;
select is(pg_temp.ask(shipped), 'PT403 own_account', 'nobody answers their own request') from o;
select throws_ok(
  $$ update app.refunds set return_address = '{"name": "Returns"}' $$, '23514', null, 'the table takes no half address'
);

select * from finish();
rollback;
