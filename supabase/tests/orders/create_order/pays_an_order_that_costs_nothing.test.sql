begin;
\ir ../../support/fixture.psql
select plan(8);

create temporary table m as select pg_temp.grade(pg_temp.reporter(), 1) as a;
create temporary table n as select pg_temp.sign_up(a::text) as buyer from m;
create temporary table o as
select x.*
from n, goods as g,
  lateral app.create_order(
    n.buyer, jsonb_build_array(jsonb_build_object('product_id', g.gift, 'quantity', 2)), now()
  ) as x;
select results_eq(
  'select state, pay_price, pay_type, pay_ref = order_no, paid_at = add_time from o',
  $$ values ('paid', 0.00, 'free', true, true) $$, 'it is paid when it is placed, with its number as reference'
);
select is(
  (select count(*) from app.events as e, o where e.type = 'order.paid' and e.subject_id = o.id), 1::bigint,
  'the payment is told once'
);
select is((app.pay_order(id, 'test', 'again', now())).pay_type, 'free', 'to pay it again changes nothing') from o;
select app.settle_order(id, now()) from o;
select is((pg_temp.settlement(id)).reason, 'below_minimum', 'it pays nobody') from o;
select results_eq(
  'select b.total_places, b.frozen_points, b.direct_orders, b.direct_members from m, lateral pg_temp.balances(m.a) as b',
  'values (0, 0.0000, 0, 0)', 'it takes no place, gives no points and counts for nothing'
);
select is(
  (select count(*) from n, app.has_reported_order(n.buyer, 'infinity') as r where r), 0::bigint,
  'it makes nobody eligible'
);

select is((app.refund_order(id, null, null, now())).amount, 0.00, 'a refund pays nothing back') from o;
select is(
  (
    select x.state
    from n, goods as g,
      lateral app.create_order(
        n.buyer, jsonb_build_array(jsonb_build_object('product_id', g.tea, 'quantity', 1)), now()
      ) as x
  ),
  'unpaid', 'one that costs something waits for its payment'
);

select * from finish();
rollback;
