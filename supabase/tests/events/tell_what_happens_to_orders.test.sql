-- Guarantee operation/events-complete
begin;
\ir ../support/fixture.psql
\ir ../support/events.psql
select plan(17);

create temporary table m as select pg_temp.sign_up() as a;
alter table m add b bigint;
update m set b = pg_temp.sign_up(a::text);
select results_eq(
  'select pg_temp.told()', format($$ values ('member.referred member %s for %s {} by member') $$, b, a),
  'a sign-up with a referrer is told to the referrer'
)
from m;
create temporary table c as select pg_temp.sign_up() as uid;
select app.bind_spread(uid, (select a from m), now()) from c;
select results_eq(
  'select pg_temp.told()', format($$ values ('member.referred member %s for %s {} by job') $$, uid, (select a from m)),
  'so is a binding'
)
from c;
select app.bind_spread(uid, (select a from m), now()) from c;
select pg_temp.sign_up('1');
select is_empty('select pg_temp.told()', 'a repeated binding and a sign-up without a referrer are not');

create temporary table o as select pg_temp.buy(a) as own from m;
select results_eq(
  'select pg_temp.told()', format($$ values ('order.paid order %s for %s {"pay_price": "3600.00"} by job') $$, own, a),
  'a payment'
)
from o, m;
select app.pay_order(own, 'test', 'test-' || own, now()), app.settle_order(own, now()) from o;
select is_empty('select pg_temp.told()', 'neither a repeated payment nor a settlement that pays nobody');

alter table o add sold bigint;
update o set sold = pg_temp.report((select b from m), 2);
select results_eq('select pg_temp.told()', format($$ values
  ('order.paid order %1$s for %2$s {"pay_price": "7200.00"} by job'),
  (
    'commission.earned order %1$s for %3$s {"place": 1, "amount": "1440.00", "points": 1440, "cycle_no": 1} by order %1$s'
  )
$$, sold, b, a), 'commission, with its order as the cause') from o, m;

select app.deliver_order(sold, now()), app.deliver_order(sold, now(), 'SF', 'SF1001') from o;
select results_eq(
  'select pg_temp.told()', format($$ values ('order.shipped order %s for %s {} by job') $$, sold, b),
  'the shipment once'
)
from o, m;
select app.confirm_receipt(sold, now()), app.confirm_receipt(sold, now()) from o;
select results_eq(
  'select pg_temp.told()', format($$ values ('order.received order %s for %s {} by job') $$, sold, b),
  'the receipt once'
)
from o, m;

select app.request_refund(sold, null, 'because', now()) from o;
select app.refuse_refund(sold, now()) from o;
select app.request_refund(sold, null, 'because', now()) from o;
select app.refund_order(
  sold,
  (
    select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)) from app.order_lines as l
    where l.order_id = sold
  ),
  'one', now()
)
from o;
select app.request_refund(sold, null, 'because', now()) from o;
select app.take_back_refund(sold, now()) from o;
create temporary table r as select array_agg(f.id order by f.id) as ids from app.refunds as f, o
  where f.order_id = o.sold;
select results_eq('select pg_temp.told()', format($$ values
  ('refund.requested order %1$s for %2$s {"amount": "7200.00", "points": 0, "refund_id": %4$s} by job'),
  ('commission.held order %1$s for %3$s {"amount": "1440.00"} by refund %4$s'),
  ('refund.refused order %1$s for %2$s {"amount": "7200.00", "points": 0, "refund_id": %4$s} by job'),
  ('commission.released order %1$s for %3$s {"amount": "1440.00"} by refund %4$s'),
  ('refund.requested order %1$s for %2$s {"amount": "7200.00", "points": 0, "refund_id": %5$s} by job'),
  ('commission.held order %1$s for %3$s {"amount": "1440.00"} by refund %5$s'),
  ('refund.partly_refunded order %1$s for %2$s {"amount": "3600.00", "points": 0, "refund_id": %5$s} by job'),
  ('commission.reversed order %1$s for %3$s {"amount": "720.00"} by refund %5$s'),
  ('commission.released order %1$s for %3$s {"amount": "720.00"} by refund %5$s'),
  ('refund.requested order %1$s for %2$s {"amount": "3600.00", "points": 0, "refund_id": %6$s} by job'),
  ('commission.held order %1$s for %3$s {"amount": "720.00"} by refund %6$s'),
  ('refund.taken_back order %1$s for %2$s {"amount": "3600.00", "points": 0, "refund_id": %6$s} by job'),
  ('commission.released order %1$s for %3$s {"amount": "720.00"} by refund %6$s')
$$, sold, b, a, ids[1], ids[2], ids[3]),
'requests, one answer to each, what a refund takes back, and what the requests hold')
from o, m, r;
select app.refund_order(sold, null, 'two', now()), app.refund_order(sold, null, 'two', now()) from o;
select results_eq('select pg_temp.told()', format($$ values
  ('refund.refunded order %1$s for %2$s {"amount": "3600.00", "points": 0, "refund_id": %4$s} by job'),
  ('commission.reversed order %1$s for %3$s {"amount": "720.00"} by refund %4$s')
$$, sold, b, a, (select max(f.id) from app.refunds as f)), 'a repeated refund is told once') from o, m;

update app.settings set lifecycle_from = '2020-01-01';
create temporary table u as
select (
  app.create_order(
    b, (select jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', 1)) from goods as g), now()
  )
).id as cancelled
from m;
alter table u add expired bigint;
update u set expired = (
  select (
    app.create_order(
      b, (select jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', 1)) from goods as g),
      now() - interval '60 days'
    )
  ).id
  from m
);
select is_empty('select pg_temp.told()', 'placing an order is not told');
select app.cancel_order(cancelled, now()), app.cancel_order(cancelled, now()), app.expire_order(expired, now()),
  app.expire_order(expired, now())
from u;
select results_eq('select pg_temp.told()', format($$ values
  ('order.cancelled order %1$s for %3$s {} by job'), ('order.expired order %2$s for %3$s {} by job')
$$, cancelled, expired, b), 'cancelled and expired are two types') from u, m;

select app.set_agent_levels(
  (
    select jsonb_agg(
      jsonb_set(l, '{tasks}', case when l -> 'grade' = '0' then '{}' else '{"direct_orders": 1}'::jsonb end)
    )
    from jsonb_array_elements(app.levels_json()) as l
  ),
  null, now()
);
select pg_temp.grade(a, 2) from m;
select results_eq(
  'select pg_temp.told()',
  format($$ values ('level.reached member %1$s for %1$s {"to_level": 2, "from_level": 0} by job') $$, a),
  'a rise by hand'
)
from m;
select app.set_agent_level(a, 1::smallint, null, now(), false) from m;
select app.set_agent_level(a, 1::smallint, null, now(), false) from m;
select is_empty('select pg_temp.told()', 'a fall is not told');
select pg_temp.report(b) from m;
select results_eq('select pg_temp.told()', format($$
  select 'order.paid order ' || o || ' for %2$s {"pay_price": "3600.00"} by job'
  from (select max(id) as o from app.orders) as x
  union all select 'commission.earned order ' || o
  || ' for %1$s {"place": 1, "amount": "720.00", "points": 720, "cycle_no": 1} by order ' || o
  from (select max(id) as o from app.orders) as x
  union all select 'level.reached member %1$s for %1$s {"to_level": ' || n || ', "from_level": ' || n - 1
  || '} by order ' || o
  from (select max(id) as o from app.orders) as x, generate_series(2, 4) as n
$$, a, b), 'rises by an order, a grade at a time, after its commission') from m;

alter table o add returned bigint;
update o set returned = pg_temp.report((select b from m));
select app.deliver_order(returned, now()), app.request_refund(returned, null, 'because', now()) from o;
select app.set_settings(
  '{"return_address": {"name": "Returns", "phone": "0755 2660 0000", "region": ["广东省"], "street": "Gate 4"}}', now()
);
select pg_temp.told() is not null;
select app.request_return(returned, now()), app.request_return(returned, now()),
  app.send_return(returned, 'SF', 'R1', now()), app.send_return(returned, 'SF', 'R2', now()),
  app.receive_return(returned, now()), app.receive_return(returned, now()) from o;
select results_eq('select pg_temp.told()', format($$ values
  ('refund.return_requested order %1$s for %2$s {"refund_id": %3$s} by job'),
    ('refund.return_sent order %1$s for %2$s {"refund_id": %3$s} by job'),
  ('refund.return_received order %1$s for %2$s {"refund_id": %3$s} by job')
$$, returned, b, (select max(f.id) from app.refunds as f)), 'each step of a return once') from o, m;

select set_config('request.jwt.claims', '{"role": "authenticated"}', true);
select pg_temp.buy(b) from m;
select set_config('request.jwt.claims', '{"role": "store_admin"}', true);
select pg_temp.buy(b) from m;
select set_config('request.jwt.claims', '{"role": "service_role"}', true);
select pg_temp.buy(b) from m;
select results_eq(
  $$ select right(t, 20) from pg_temp.told() as t $$, $$ select right(t, 20)
  from (values ('"3600.00"} by member'), ('00"} by administrator'), ('600.00"} by provider')) as v (t) $$,
  'the caller is the cause'
);

select * from finish();
rollback;
