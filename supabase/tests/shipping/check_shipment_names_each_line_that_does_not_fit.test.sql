-- Guarantee money/shipping-file: What does not fit in a carrier's file is named before anything is written
-- By: the preview and the shipment check the same, app.check_shipment
begin;
\ir ../support/fixture.psql
select plan(31);

create temporary table m as select pg_temp.sign_up() as own, pg_temp.sign_up() as buyer, pg_temp.sign_up() as stranger;
create function pg_temp.unpaid(p_uid bigint) returns bigint language sql as $$
  select (
    app.create_order(
      p_uid, (select jsonb_build_array(jsonb_build_object('product_id', tea, 'quantity', 1)) from goods), now()
    )
  ).id
$$;
create temporary table o as
select x.name, x.id, null::text as no
from m cross join lateral (values
  ('paid', pg_temp.buy(m.buyer)), ('second', pg_temp.buy(m.buyer)), ('third', pg_temp.buy(m.buyer)),
    ('own', pg_temp.buy(m.own)), ('unpaid', pg_temp.unpaid(m.buyer)),
  ('cancelled', pg_temp.unpaid(m.buyer)), ('refunded', pg_temp.buy(m.buyer)), ('shipped', pg_temp.buy(m.buyer)),
  ('received', pg_temp.buy(m.buyer)), ('asking', pg_temp.buy(m.buyer)), ('stranger', pg_temp.buy(m.stranger))
) as x (name, id);
update o set no = q.order_no from app.orders as q where q.id = o.id;
create function pg_temp.o(p_name text) returns bigint language sql as $$ select id from o where name = p_name $$;
select app.cancel_order(pg_temp.o('cancelled'), now()), app.refund_order(pg_temp.o('refunded'), null, null, now()),
  app.deliver_order(pg_temp.o('shipped'), now(), 'SF', 'GONE1001'), app.confirm_receipt(pg_temp.o('received'), now()),
  app.request_refund(pg_temp.o('asking'), null, '', now());

-- What becomes of a line, beside a second one that has nothing to do with it.
create function pg_temp.check(p_name text, p_number text, p_carrier text default 'SF') returns text language sql as $$
  select coalesce(c.problem, c.result)
  from m, app.check_shipment(app.shipment_lines(jsonb_build_array(
    jsonb_build_object(
      'line', 7, 'order_no', coalesce((select o.no from o where o.name = p_name), p_name), 'carrier', p_carrier,
      'tracking_no', p_number
    ),
    jsonb_build_object(
      'line', 8, 'order_no', (select no from o where name = 'third'), 'carrier', 'ZTO', 'tracking_no', 'BESIDE1001'
    )
  )), m.own) as c where c.line = 7
$$;
select is(pg_temp.check('paid', 'A10001'), 'fits', 'a paid order is shipped');
select is(pg_temp.check('paid', 'A10001', '顺丰'), 'fits', 'the beginning of the Chinese name of a carrier suffices');
select is(pg_temp.check('paid', 'A10001', 'sf express'), 'fits', 'so does its English name in any case');
select is(pg_temp.check('paid', ' A10001 ', ' SF '), 'fits', 'blanks around a text do not count');
select is(pg_temp.check('asking', 'A10001'), 'fits', 'an order with a refund request is shipped, as by hand');
select is(pg_temp.check('', 'A10001'), 'no_order_number', 'a line without an order number');
select is(pg_temp.check('paid', ' '), 'no_tracking_number', 'a line without a tracking number');
select is(pg_temp.check('paid', repeat('1', 65)), 'tracking_number_invalid', 'a number that is too long');
select is(pg_temp.check('paid', '1.23456E+17'), 'tracking_number_invalid', 'a number that a spreadsheet has rounded');
select is(pg_temp.check('20260101', 'A10001'), 'order_unknown', 'an unknown order');
select is(pg_temp.check('paid', 'A10001', 'Pony Express'), 'carrier_unknown', 'an unknown carrier');
select is(pg_temp.check('paid', 'A10001', '顺'), 'carrier_unknown', 'one character of a name is no carrier');
select is(pg_temp.check('own', 'A10001'), 'own_order', 'an order of the administrator');
select is(pg_temp.check('unpaid', 'A10001'), 'unpaid', 'an unpaid order');
select is(pg_temp.check('cancelled', 'A10001'), 'cancelled', 'a cancelled order');
select is(pg_temp.check('refunded', 'A10001'), 'refunded', 'a refunded order');
select is(pg_temp.check('received', 'A10001'), 'received', 'a received order');
select is(pg_temp.check('shipped', 'A10001'), 'shipped_otherwise', 'an order that was shipped with another number');
select is(pg_temp.check('shipped', 'GONE1001', 'ZTO'), 'shipped_otherwise', 'or with another carrier');
select is(pg_temp.check('shipped', 'GONE1001'), 'unchanged', 'an order that has this parcel stays as it is');
select is(pg_temp.check('stranger', 'GONE1001'), 'number_used', 'a number that a parcel of another buyer has');
select is(pg_temp.check('paid', 'GONE1001'), 'fits', 'orders of a buyer share a parcel that left after both were paid');
update app.parcels set shipped_at = shipped_at - interval '1 day' where tracking_no = 'GONE1001';
select is(pg_temp.check('paid', 'GONE1001'), 'number_used', 'but not one that left before');
update app.parcels set shipped_at = shipped_at + interval '1 day' where tracking_no = 'GONE1001';
select is(pg_temp.check('third', 'A10001', 'ZTO'), 'fits', 'an order in two lines gets two parcels');
select is(pg_temp.check('third', 'BESIDE1001', 'ZTO'), 'fits', 'the same line twice is one parcel');
select is(pg_temp.check('third', 'BESIDE1001'), 'order_repeated', 'the same number of two carriers is none');
select is(pg_temp.check('paid', 'BESIDE1001', 'ZTO'), 'fits', 'two orders of a buyer can have one number');
select is(pg_temp.check('paid', 'BESIDE1001'), 'number_repeated', 'not of two carriers');
select is(pg_temp.check('stranger', 'BESIDE1001', 'ZTO'), 'number_repeated', 'nor can the orders of two buyers');
select is(
  pg_temp.check('paid', 'SF1234567890123', 'YTO'), 'number_of_another_carrier',
  'a number in the form of another carrier'
);
update app.carriers set is_active = false where code = 'SF';
select is(
  pg_temp.check('paid', 'A10001') || ' ' || pg_temp.check('shipped', 'GONE1001'), 'carrier_unknown unchanged',
  'a carrier that is switched off takes no new parcel'
);

select * from finish();
rollback;
