-- Guarantee money/refund-of-amount: An amount paid back while the goods are kept reduces commission to that of the
-- rest, and leaves units, place and counts
-- By: app.reversals
begin;
\ir ../../support/fixture.psql
select plan(22);

-- A referrer at place 1; 3 flagships for 10800.00 and 2 teas for 199.80.
create temporary table m as select pg_temp.reporter() as a;
alter table m add b bigint;
update m set b = pg_temp.sign_up(a::text);
create temporary table o as
select (
  app.create_order(
    m.b,
    (
      select jsonb_build_array(
        jsonb_build_object('product_id', g.flagship, 'quantity', 3),
        jsonb_build_object('product_id', g.tea, 'quantity', 2)
      )
      from goods as g
    ),
    now()
  )
).id
from m;
select app.pay_order(id, 'test', 'one', now()) from o;
select app.settle_order(id, now()) from o;
create temporary table l as select l.id, l.is_queue_goods from app.order_lines as l join o on o.id = l.order_id;
create function pg_temp.lines(p_text text) returns jsonb language sql as $$
  select replace(
    replace(p_text, 'FLAGSHIP', (select id::text from l where is_queue_goods)), 'TEA',
    (select id::text from l where not is_queue_goods)
  )::jsonb
$$;
create function pg_temp.refund(p_lines text, p_ref text default null) returns text language plpgsql as $$
declare
  v_refund app.refunds;
begin
  v_refund := app.refund_order((select id from o), pg_temp.lines(p_lines), p_ref, now(), p_freight => 0);
  return v_refund.state || ' ' || v_refund.amount;
exception when sqlstate 'PT409' or sqlstate 'PT422' then
  return sqlerrm;
end
$$;
create function pg_temp.state() returns text language sql as $$
  select concat_ws(' ', o.queue_base, o.queue_units, o.refund_status, b.brokerage_price, b.frozen_points)
  from app.orders as o, m, app.user_balances as b where o.id = (select id from o) and b.uid = m.a
$$;
select is(pg_temp.state(), '10800.00 3 0 2160.00 2160.0000', 'before: 10800.00 x 0.2');
select is(
  pg_temp.refund('[{"line_id": FLAGSHIP, "amount": "100.00"}]', 'r1'), 'refunded 100.00', 'an amount is paid back'
);
select is(
  pg_temp.state(), '10700.00 3 3 2140.00 2140.0000',
  'the units stay, and commission and its points are what the rest should pay'
);
select is((select place_freed_at from app.settlements as s join o on o.id = s.order_id), null, 'the place stays');
select is(
  pg_temp.refund('[{"line_id": FLAGSHIP, "amount": "100"}]', 'r1'), 'refunded 100.00',
  'the same reference and amount return the same refund'
);
select is(
  pg_temp.refund('[{"line_id": FLAGSHIP, "amount": "100.01"}]', 'r1'), 'refund_reference_used', 'not for another amount'
);
select is(pg_temp.refund('[{"line_id": FLAGSHIP, "quantity": 1}]', 'r1'), 'refund_reference_used', 'nor for units');
select is(pg_temp.state(), '10700.00 3 3 2140.00 2140.0000', 'and change nothing');
select is(
  pg_temp.refund('[{"line_id": FLAGSHIP, "quantity": 1}, {"line_id": TEA, "amount": "0.01"}]'), 'refunded 3566.68',
  'a line has units and another one an amount: 3600 - 33.33... + 0.01'
);
select is(pg_temp.state(), '7133.33 2 3 1426.66 1426.6600', 'two units are left');
select is(
  pg_temp.refund('[{"line_id": FLAGSHIP, "amount": "7133.33"}]'), 'refund_exceeds_order',
  'an amount leaves at least 0.01 of queue goods'
);
select is(
  pg_temp.refund('[{"line_id": FLAGSHIP, "amount": "7133.34"}]'), 'refund_exceeds_order',
  'and is never more than is left'
);
select is(pg_temp.refund('[{"line_id": FLAGSHIP, "amount": "7133.32"}]'), 'refunded 7133.32', 'all but 0.01');
select is(pg_temp.state(), '0.01 2 3 0.00 0.0000', 'takes the commission back, and not the units');
select is(
  (select place_freed_at from app.settlements as s join o on o.id = s.order_id), null,
  'the place stays while any base is left'
);
select is(
  pg_temp.refund('[{"line_id": TEA, "amount": "199.79"}]'), 'refunded 199.79',
  'of other goods, everything may be paid back while they are kept'
);
select is(pg_temp.refund('[{"line_id": TEA, "amount": "0.01"}]'), 'refund_exceeds_order', 'once');
select is(
  pg_temp.refund('[{"line_id": TEA, "quantity": 2}, {"line_id": FLAGSHIP, "quantity": 2}]'), 'refunded 0.01',
  'the units return for what is left of them'
);
select is(pg_temp.state(), '0.00 0 2 0.00 0.0000', 'nothing is left');
select is(
  (select sum(r.amount) from app.refunds as r join o on o.id = r.order_id), 10999.80,
  'everything that was paid was paid back'
);
select is(
  (select sum(r.amount) from app.refunded_lines('-infinity') as r join o on o.id = r.order_id), 10999.80,
  'and so say the reports'
);
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
