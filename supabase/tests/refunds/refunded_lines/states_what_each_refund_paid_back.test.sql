begin;
\ir ../../support/fixture.psql
select plan(8);

-- Two orders of three units for 10.00 together, which cannot be divided by three.
create temporary table o as
select n.name,
  (
    app.create_order(
      pg_temp.sign_up(),
      (
        select jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', 3, 'discount', '10790.00'))
        from goods as g
      ),
      '2026-03-01 00:00+00'
    )
  ).id
from (values ('one'), ('other')) as n (name);
select app.pay_order(id, 'test', name, '2026-03-01 00:00+00') from o;
select app.settle_order(id, '2026-03-01 00:00+00') from o;
create function pg_temp.refund(p_name text, p_units integer, p_at timestamptz) returns void language sql as $$
  select app.refund_order(
    o.id,
    (
      select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', p_units)) from app.order_lines as l
      where l.order_id = o.id
    ),
    null, p_at
  )
  from o where o.name = p_name
$$;
select pg_temp.refund('one', 1, '2026-03-02 00:00+00');
select pg_temp.refund('other', 2, '2026-03-03 00:00+00');
-- A request that names units, and one that is refused, pay nothing back.
select from o, app.request_refund(o.id, null, '', '2026-03-04 00:00+00') where o.name = 'one';
select pg_temp.refund('one', 1, '2026-03-05 00:00+00');
select from o, app.request_refund(o.id, null, '', '2026-03-06 00:00+00') where o.name = 'other';
select from o, app.refuse_refund(o.id, '2026-03-07 00:00+00') where o.name = 'other';
select pg_temp.refund('one', 1, '2026-03-08 00:00+00');
create function pg_temp.paid_back(p_from text, p_to text default 'infinity') returns text language sql as $$
  select string_agg(format('%s %s for %s', o.name, r.units, r.amount), ', ' order by r.decided_at)
  from app.refunded_lines(p_from::timestamptz, p_to::timestamptz) as r join o on o.id = r.order_id
$$;

select is(
  pg_temp.paid_back('-infinity'), 'one 1 for 3.34, other 2 for 6.67, one 1 for 3.33, one 1 for 3.33',
  'each refund has what it paid back, counted from the refunds of its line before it'
);
select is(
  (select sum(r.amount) from app.refunded_lines('-infinity') as r join o on o.id = r.order_id where o.name = 'one'),
  10.00, 'the refunds of a line add up to its amount'
);
select is(
  pg_temp.paid_back('2026-03-03 00:00+00', '2026-03-08 00:00+00'), 'other 2 for 6.67, one 1 for 3.33',
  'a period includes its beginning and not its end'
);
select is(pg_temp.paid_back('2026-03-08 00:00+00'), 'one 1 for 3.33', 'also if it is open');
select is(pg_temp.paid_back('2026-03-04 00:00+00', '2026-03-05 00:00+00'), null, 'a request pays nothing back');
select is(pg_temp.paid_back('2026-03-06 00:00+00', '2026-03-08 00:00+00'), null, 'nor does its refusal');
select results_eq(
  $$ select distinct r.paid_at, r.is_queue_goods, r.product_id from app.refunded_lines('-infinity') as r
  join o on o.id = r.order_id $$,
  $$ select timestamptz '2026-03-01 00:00+00', true, flagship
  from goods $$, 'each has the time of the payment and the goods'
);
select is_empty('select * from app.reconcile()', 'reconcile() finds nothing');

select * from finish();
rollback;
