begin;
\ir ../../support/fixture.psql
select plan(9);

-- A call from before batches were stored, which settled two orders in the sequence of their ids, and an order after it.
create temporary table m as select pg_temp.reporter() as a, now() + interval '1 hour' as at;
create temporary table o as
select pg_temp.buy(pg_temp.sign_up(m.a::text), 1, m.at + interval '2 minutes') as second,
  pg_temp.buy(pg_temp.sign_up(m.a::text), 2, m.at + interval '1 minute') as first
from m;
select app.settle_order(o.second, m.at + interval '3 minutes') from o, m;
select app.settle_order(o.first, m.at + interval '3 minutes') from o, m;
update app.settlements as s set batch = null from o where s.order_id in (o.first, o.second);
select pg_temp.report(pg_temp.sign_up(m.a::text), 1, m.at + interval '4 minutes') from m;

select results_eq(
  'select p.order_id, p.paid_position - p.position from app.paid_positions() as p, o where p.order_id in (o.first, o.second) order by p.order_id',
  'select x.* from o, lateral (values (o.second, 1::bigint), (o.first, -1::bigint)) as x', 'both orders are found'
);
-- Booked: 720 + 2160 for places 1 and 2. Right: 1440 + 1080.
select results_eq(
  'select d.commission, d.points from app.sequence_differences() as d, m where d.uid = m.a',
  'values (-360.00, -360.0000)', 'the difference is what the other sequence pays less'
);
select is((select count(*) from app.sequence_differences()), 1::bigint, 'nobody else is paid otherwise');
create temporary table before as select pg_temp.balances(a) as b from m;
select is(
  (select string_agg(a.state, ' ') from app.adjust_sequence() as a), 'booked',
  'an adjustment within the limits is booked'
);
select is(
  (select ((pg_temp.balances(m.a)).brokerage_price - (b).brokerage_price)::text from m, before), '-360.00',
  'it corrects the balance'
);
select is_empty('select from app.sequence_differences()', 'nothing is left to adjust');
select is_empty('select from app.adjust_sequence()', 'a second call adjusts nothing');

update app.settlements as s set batch = s.order_id from o where s.order_id in (o.first, o.second);
select is_empty(
  'select from app.paid_positions() as p, o where p.order_id in (o.first, o.second)',
  'orders of different batches have no sequence among them'
);

-- Orders that were paid at the same time are settled by id.
create temporary table tie as select pg_temp.buy(pg_temp.sign_up(m.a::text), 1, m.at + interval '5 minutes') as one,
  pg_temp.buy(pg_temp.sign_up(m.a::text), 1, m.at + interval '5 minutes') as two
  from m;
select app.settle_orders(
  array(select o from app.orders as o where o.id in (tie.one, tie.two) order by o.id), m.at + interval '6 minutes'
)
from tie, m;
select is_empty(
  'select from app.paid_positions() as p, tie where p.order_id in (tie.one, tie.two)',
  'orders that were paid at the same time are in sequence by their ids'
);

select * from finish();
rollback;
