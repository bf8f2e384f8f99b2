-- Guarantee money/shipping-correction: A corrected tracking number is recorded with the wrong one
-- By: api.set_parcel
begin;
\ir ../support/fixture.psql
grant store_api to postgres;
select plan(19);

create temporary table a as select pg_temp.administrator() as id;
create temporary table o as select pg_temp.buy(m.buyer) as paid, pg_temp.buy(m.buyer) as bare,
  pg_temp.buy(m.buyer) as other, m.buyer
  from (select pg_temp.sign_up() as buyer) as m;
create function pg_temp.parcels(p_order_id bigint) returns text language sql as $$
  select string_agg(concat_ws(' ', l.carrier_code, l.carrier, l.tracking_no), ', ' order by l.id) from app.parcels as l
  where l.order_id = p_order_id
$$;
create function pg_temp.add(p_order_id bigint, p_carrier text, p_number text) returns text language sql as $$
  select pg_temp.call(
    a.id, 'add_parcel', jsonb_build_object('p_order_id', p_order_id, 'p_carrier', p_carrier, 'p_tracking_no', p_number)
  )
  from a
$$;
create function pg_temp.correct(p_number text, p_args jsonb) returns text language sql as $$
  select pg_temp.call(
    a.id, 'set_parcel',
    jsonb_build_object('p_id', (select l.id from app.parcels as l where l.tracking_no = p_number)) || p_args
  )
  from a
$$;
create function pg_temp.told(p_order_id bigint) returns text language sql as $$
  select string_agg(e.type, ' ' order by e.id) from app.events as e
  where e.subject_id = p_order_id and e.type like 'order.%ed' and e.type <> 'order.paid'
$$;

select is(
  pg_temp.add(paid, 'SF', 'S10001')::jsonb ->> 'state', 'delivered', 'the first parcel of a paid order ships it'
)
from o;
select is(pg_temp.told(paid), 'order.shipped', 'which is told as its shipment') from o;
select is(
  pg_temp.add(paid, '中通', 'Z10001')::jsonb -> 'parcels' #>> '{1,tracking_url}',
  'https://www.kuaidi100.com/chaxun?com=zhongtong&nu=Z10001', 'a further parcel is on the page of its carrier'
)
from o;
select is(pg_temp.parcels(paid), 'SF 顺丰速运 S10001, ZTO 中通快递 Z10001', 'an order has several parcels') from o;
select is(pg_temp.told(paid), 'order.shipped order.parcel_added', 'and each further one is told') from o;
select is(pg_temp.add(paid, 'ZTO', 'Z10001')::jsonb -> 'parcels' -> 2, null, 'a repeated parcel is not added') from o;
select is(
  pg_temp.add(paid, 'SF', 'Z10001'), 'PT422 invalid_argument', 'nor is one whose number another parcel of the order has'
)
from o;
select is(
  pg_temp.add(other, 'Pony', 'P10001') || pg_temp.add(other, 'SF', repeat('1', 65)),
  'PT422 invalid_argumentPT422 invalid_argument', 'nor one of an unknown carrier, or with a number that is none'
)
from o;
select app.refund_order(other, null, null, now()) from o;
select is(pg_temp.add(other, 'SF', 'S10002'), 'PT409 order_state_conflict', 'a refunded order takes no parcel') from o;

select is(
  pg_temp.correct('Z10001', '{"p_tracking_no": "Z10002"}')::jsonb #>> '{parcels,1,tracking_no}', 'Z10002',
  'a wrong number is corrected'
);
select is(
  (
    select x.from_value || x.to_value || jsonb_build_object('was', x.from_value ->> 'tracking_no')
    from app.admin_actions as x, o where x.function = 'set_parcel' and x.target_id = o.paid::text
  ),
  '{"tracking_no": "Z10002", "was": "Z10001"}', 'and the action log keeps the wrong one'
);
select is(
  pg_temp.correct('Z10002', '{"p_carrier": "圆通"}')::jsonb #>> '{parcels,1,carrier_code}', 'YTO', 'so is a wrong carrier'
);
select is(
  pg_temp.correct('Z10002', '{"p_tracking_no": "S10001"}'), 'PT422 invalid_argument',
  'not to the number of another parcel of the order'
);
select is(
  (pg_temp.call(a.id, 'set_parcel', '{"p_id": 1000000, "p_carrier": "SF"}')), 'PT404 parcel_not_found',
  'an unknown parcel is rejected'
)
from a;

select app.deliver_order(paid, now(), 'Pony Express', 'P10002') from o;
select is(
  pg_temp.parcels(paid), 'Pony Express P10002, YTO 圆通速递 Z10002',
  'the earlier call changes the first parcel, also to a carrier that the list does not have'
)
from o;
select app.deliver_order(bare, now()), app.deliver_order(bare, now(), 'SF', 'S10009') from o;
select is(
  pg_temp.parcels(bare), 'SF SF S10009', 'an order that was shipped without a number gets its first parcel later'
)
from o;
select is(pg_temp.told(bare), 'order.shipped', 'which is not told a second time') from o;
select app.confirm_receipt(paid, now()) from o;
select is(
  pg_temp.correct('Z10002', '{"p_tracking_no": "Z10003"}') || pg_temp.add(paid, 'SF', 'S10003'),
  'PT409 order_state_conflictPT409 order_state_conflict', 'after the receipt, parcels stay as they are'
)
from o;
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
