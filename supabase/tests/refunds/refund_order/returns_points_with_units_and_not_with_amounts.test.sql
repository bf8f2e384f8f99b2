begin;
\ir ../../support/fixture.psql
\ir ../../support/points.psql
select plan(5);

-- 2 teas at 99.90, of which 50 points pay 50.00.
create temporary table o as
select pg_temp.order_with(pg_temp.give_points(pg_temp.sign_up(), 50), array[[g.tea, 2]], 50, now()) as id
from goods as g;
select app.pay_order(id, 'test', 'one', now()) from o;
create temporary table l as select l.* from app.order_lines as l join o on o.id = l.order_id;
create function pg_temp.refund(p_item text) returns text language sql as $$
  select concat_ws(' ', r.amount, trim_scale(r.points))
  from o, l,
    app.refund_order(
      o.id, jsonb_build_array(jsonb_build_object('line_id', l.id) || p_item::jsonb), null, now(), p_freight => 0
    ) as r
$$;
select is(
  (select concat_ws(' ', paid, paid_by_points, trim_scale(points)) from l), '149.80 50.00 50',
  'points paid a part of the line'
);
select is(pg_temp.refund('{"amount": "49.80"}'), '49.80 0', 'an amount pays money back, and returns no points');
select is(
  pg_temp.refund('{"quantity": 1}'), '50.00 25', 'a unit returns its share of the points, and of the money that is left'
);
select is(pg_temp.refund('{"quantity": 1}'), '50.00 25', 'the last one what is left of both');
select is_empty(
  'select r.* from app.reconcile() as r join o on r.subject = format(''order %s'', o.id)',
  'reconcile() finds nothing of the order'
);

select * from finish();
rollback;
