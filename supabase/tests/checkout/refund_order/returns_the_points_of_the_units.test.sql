-- Guarantee money/refund-points: Points that paid for refunded units return, all of them once everything is refunded
-- By: one rounding for each line, app.points_left
begin;
\ir ../../support/fixture.psql
\ir ../../support/points.psql
select plan(18);

create temporary table m as select pg_temp.give_points(pg_temp.sign_up(pg_temp.reporter()::text), 1000) as a;
create function pg_temp.paid_order(p_use_points numeric) returns bigint language plpgsql as $$
declare
  v_id bigint := (
    select pg_temp.order_with(
      m.a, array[[pg_temp.product(9.99), 3], [g.flagship, 2], [pg_temp.product(20), 1]], p_use_points
    )
    from m, goods as g
  );
begin
  perform app.pay_order(v_id, 'test', 'test-' || v_id, now());
  return v_id;
end
$$;
create function pg_temp.units(p_order_id bigint, p_line integer, p_quantity integer) returns jsonb language sql as $$
  select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', p_quantity)) from app.order_lines as l
  where l.order_id = p_order_id order by l.id offset p_line - 1 limit 1
$$;
create function pg_temp.returned(p_order_id bigint) returns numeric[] language sql as $$
  select array_agg(l.available_delta order by l.id) from app.user_bill as l
  where l.order_id = p_order_id and l.type = 'points_returned'
$$;

create temporary table o as select pg_temp.paid_order(30) as id;
select app.settle_order(id, now()) from o;
select is(
  app.preview_refund(id, pg_temp.units(id, 1, 1), now()) -> 'points', '4.9934',
  'a preview of a refund states the points that return'
)
from o;
select is(
  app.preview_refund(id, pg_temp.units(id, 1, 1), now()) #>> '{reversals,0,type}', 'points_returned',
  'a preview of a refund has the bill row of the points'
)
from o;
select is(
  app.preview_refund(id, pg_temp.units(id, 1, 1), now()) #>> '{reversals,0,available_points_after}',
  trim_scale(pg_temp.available(a) + 4.9934)::text, 'a preview of a refund states the balance after the points return'
)
from o, m;
select is(
  (app.refund_order(id, pg_temp.units(id, 1, 1), 'a', now())).points, 4.9934,
  'one of three units returns 14.98 - 9.9866 points'
)
from o;
select app.refund_order(id, pg_temp.units(id, 1, 1), 'a', now()) from o;
select is(pg_temp.returned(id), '{4.9934}', 'a repeated refund returns no more points') from o;
select is(
  (app.refund_order(id, pg_temp.units(id, 2, 1), null, now())).points, 0.0000, 'refunded queue goods return no points'
)
from o;
select is(r.amount || ' ' || r.points, '5.00 4.9933', 'the second of three units returns the next part')
from o, lateral app.refund_order(o.id, pg_temp.units(o.id, 1, 1), null, now()) as r;
select is((app.refund_order(id, null, null, now())).points, 14.9933, 'the last refund returns the rest of the points')
from o;
select is(pg_temp.paid(id), '24.98 24.9800 0.0000 7224.99', 'a refunded order has no points left') from o;
select is(pg_temp.available(a), 1000.0000, 'partial refunds return every point') from m;
select is(
  (select sum(r.amount) from app.refunds as r join o on o.id = r.order_id), 7224.99,
  'partial refunds pay back every cent'
);

-- Not settled, and without queue goods.
create temporary table q as select pg_temp.paid_order(30) as unsettled,
  pg_temp.order_with(a, array[[pg_temp.product(10), 1]], 5) as tea
  from m;
select app.pay_order(tea, 'test', 'test-' || tea, now()) from q;
select is(
  (app.refund_order(unsettled, pg_temp.units(unsettled, 3, 1), null, now())).points, 10.0000,
  'an order that is not settled returns points'
)
from q;
select is((app.refund_order(tea, null, null, now())).points, 5.0000, 'an order without queue goods returns points')
from q;

create temporary table small as select pg_temp.order_with(a, array[[pg_temp.product(1), 1]], 1) as id from m;
select app.pay_order(id, 'test', 'test-' || id, now()), app.refund_order(id, null, null, now()) from small;
select results_eq(
  'select l.type, l.available_delta from app.user_bill as l join small as s on s.id = l.order_id order by l.id',
  $$ values ('points_spent', -0.5000), ('points_returned', 0.5000) $$,
  'less than one point is spent and returned like more'
);

-- A request states what it would return, and returns it when it is carried out.
create temporary table r as select pg_temp.paid_order(30) as id;
select is(
  (app.request_refund(id, pg_temp.units(id, 3, 1), 'broken', now())).points, 10.0000,
  'a refund request states the points'
)
from r;
select is(pg_temp.returned(id), null, 'a refund request returns no points') from r;
select app.refund_order(id, null, null, now()) from r;
select is(pg_temp.returned(id), '{10.0000}', 'a refund that carries out the request returns its points') from r;
select is_empty(
  'select * from app.reconcile_points() union all select * from app.reconcile_order_points()',
  'reconcile() finds every point'
);

select * from finish();
rollback;
