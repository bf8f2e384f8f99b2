-- Guarantee money/refund-status
begin;
\ir ../../support/fixture.psql
select plan(22);

-- An order of three units of queue goods and one of others, and another order whose refund changes nothing of it.
create temporary table o as
select n.name,
  (
    app.create_order(
      pg_temp.sign_up(),
      (
        select jsonb_build_array(
          jsonb_build_object('product_id', g.flagship, 'quantity', 3),
          jsonb_build_object('product_id', g.tea, 'quantity', 1)
        )
        from goods as g
      ),
      '2026-03-01 00:00+00'
    )
  ).id
from (values ('one'), ('other')) as n (name);
select app.pay_order(id, 'test', name, '2026-03-01 00:00+00') from o;
select app.settle_order(id, '2026-03-01 00:00+00') from o;
create temporary table line as select l.id, l.is_queue_goods from app.order_lines as l join o on o.id = l.order_id
  where o.name = 'one';
create temporary table events (name text, at timestamptz, place bigint);
create function pg_temp.note(p_name text, p_at timestamptz) returns void language sql as $$
  insert into events select p_name, p_at, last_value from app.positions
$$;
create function pg_temp.refund(
  p_is_queue_goods boolean, p_units integer, p_at timestamptz
) returns void language sql as $$
  select app.refund_order(
    o.id,
    (
      select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', p_units)) from line as l
      where l.is_queue_goods = p_is_queue_goods
    ),
    null, p_at
  )
  from o where o.name = 'one'
$$;
select pg_temp.note('paid', '2026-03-01 00:00+00');
select app.refund_order(o.id, null, null, '2026-03-02 00:00+00') from o where o.name = 'other';
select pg_temp.note('other refunded', '2026-03-02 00:00+00');
select from o, app.request_refund(o.id, null, '', '2026-03-03 00:00+00') where o.name = 'one';
select pg_temp.note('requested', '2026-03-03 00:00+00');
select from o, app.refuse_refund(o.id, '2026-03-04 00:00+00') where o.name = 'one';
select pg_temp.note('refused', '2026-03-04 00:00+00');
select pg_temp.refund(true, 1, '2026-03-05 00:00+00');
select pg_temp.note('one unit', '2026-03-05 00:00+00');
select pg_temp.refund(false, 1, '2026-03-06 00:00+00');
select pg_temp.note('other goods', '2026-03-06 00:00+00');
select from o, app.request_refund(o.id, null, '', '2026-03-06 01:00+00') where o.name = 'one';
select from o, app.take_back_refund(o.id, '2026-03-06 02:00+00') where o.name = 'one';
select pg_temp.note('taken back', '2026-03-06 02:00+00');
select from o, app.request_refund(o.id, null, '', '2026-03-06 03:00+00') where o.name = 'one';
select pg_temp.note('asked for both', '2026-03-06 03:00+00');
select pg_temp.refund(true, 1, '2026-03-06 04:00+00');
select pg_temp.note('granted in part', '2026-03-06 04:00+00');
select from o, app.request_refund(o.id, null, '', '2026-03-06 05:00+00') where o.name = 'one';
select pg_temp.note('asked again', '2026-03-06 05:00+00');
-- Beside the request, of which nothing is left then.
select app.refund_order(o.id, null, null, '2026-03-07 00:00+00', p_answers_request => false) from o
where o.name = 'one';
select pg_temp.note('all', '2026-03-07 00:00+00');

-- Base, units and refund status (0 none, 1 requested, 2 refunded, 3 refunded in part), by position and by time.
create temporary table expected (name text, state text);
insert into expected values
  ('paid', '10800.00 3 0'), ('other refunded', '10800.00 3 0'), ('requested', '10800.00 3 1'),
    ('refused', '10800.00 3 0'), ('one unit', '7200.00 2 3'), ('other goods', '7200.00 2 3'),
  ('taken back', '7200.00 2 3'), ('asked for both', '7200.00 2 1'), ('granted in part', '3600.00 1 3'),
  ('asked again', '3600.00 1 1'), ('all', '0.00 0 2');
select is(
  (
    select concat_ws(' ', a.base, a.units, a.refund_status) from o, app.order_at(o.id, null, e.place, false) as a
    where o.name = 'one'
  ),
  x.state, format('after the event %s, by its position', e.name)
)
from events as e join expected as x using (name);
select is(
  (
    select concat_ws(' ', a.base, a.units, a.refund_status) from o, app.order_at(o.id, e.at, e.place, true) as a
    where o.name = 'one'
  ),
  x.state, format('after the event %s, by its time', e.name)
)
from events as e join expected as x using (name);

select * from finish();
rollback;
