begin;
\ir ../../support/fixture.psql
select plan(16);

-- Lines of these prices; a negative price is one of queue goods.
create function pg_temp.lines(p_prices numeric[]) returns app.order_lines[] language sql as $$
  select array_agg(jsonb_populate_record(null::app.order_lines, jsonb_build_object(
    'price', abs(p), 'quantity', 1, 'discount', 0, 'paid_by_points', 0, 'points', 0, 'paid', abs(p), 'is_queue_goods',
    p < 0
  )) order by n) from unnest(p_prices) with ordinality as t (p, n)
$$;
create function pg_temp.decided(
  p_prices numeric[], p_use numeric, p_available numeric, p_rate numeric, p_share numeric
) returns text language sql as $$
  select string_agg(concat_ws('/', l.paid_by_points, trim_scale(l.points), l.paid), ' ')
  from unnest(app.decide_points(pg_temp.lines(p_prices), p_use, p_available, p_rate, p_share)) as l
$$;

select is(pg_temp.decided(p, u, a, r, s), expected, name) from (values
  ('{10}'::numeric[], 4, 100, 1, 0.5, '4.00/4/6.00', 'points pay no more than the buyer wants'),
  ('{10}', 100, 3.4567, 1, 0.5, '3.45/3.45/6.55', 'points pay no more than are available, rounded down to cents'),
  ('{10}', 100, 100, 1, 0.5, '5.00/5/5.00', 'points pay no more than the share of the price'),
  ('{10}', 100, 100, 3, 0.5, '5.00/15/5.00', 'a rate above 1 takes more points than cents'),
  ('{10}', 100, 1, 0.03, 0.5, '5.00/0.15/5.00', 'a rate below 1 takes fewer points than cents'),
  ('{10}', 0.02, 100, 0.03, 0.5, '0.66/0.0198/9.34', 'points that pay no whole cent are not taken'),
  (
    '{10,-3600,20}', 100, 100, 1, 0.5, '5.00/5/5.00 0.00/0/3600.00 10.00/10/10.00',
    'queue goods are left out, also of the share'
  ),
  ('{-3600}', 100, 100, 1, 0.5, '0.00/0/3600.00', 'an order of queue goods alone is paid in money'),
  ('{29.97,20}', 30, 80.8, 1, 0.5, '14.98/14.98/14.99 10.00/10/10.00', 'lines pay in proportion to their prices'),
  (
    '{0.01,0.01,0.01}', 100, 100, 1, 0.99999, '0.00/0/0.01 0.01/0.01/0.00 0.01/0.01/0.00',
    'no line pays more than its price, and one cent remains to be paid'
  ),
  ('{10}', 100, -5, 1, 0.5, '0.00/0/10.00', 'a negative balance pays nothing'),
  ('{10}', null, 100, 1, 0.5, '0.00/0/10.00', 'without points to use, points pay nothing')
) as t (p, u, a, r, s, expected, name);

-- Many sets of prices, points, rates and shares.
create temporary table cases as
select n,
  array(
    select ((n * 7919 + i * 104729) % 5003) * 0.01 * case when (n + i) % 4 = 0 then -1 else 1 end
    from generate_series(1, 1 + n % 6) as i
  ) as prices,
  (n * 31337 % 900001) * 0.0001 as points, 0.01 + (n * 65537 % 40009) * 0.01 as rate,
  (n * 15485863 % 100000) * 0.00001 as share
from generate_series(1::bigint, 3000) as n;
create temporary table decided as
select c.*, d.money, d.spent, d.payable, d.is_wrong
from cases as c cross join lateral (
  select sum(l.paid_by_points) as money, sum(l.points) as spent,
    coalesce(sum(l.price) filter (where not l.is_queue_goods), 0) as payable,
    bool_or(l.paid < 0 or l.paid_by_points < 0 or l.paid + l.paid_by_points <> l.price
    or (l.is_queue_goods and l.paid_by_points <> 0)
      or l.points <> l.paid_by_points * c.rate) as is_wrong
  from unnest(app.decide_points(pg_temp.lines(c.prices), c.points, 1000000, c.rate, c.share)) as l
) as d;
select is_empty('select * from decided where is_wrong', 'every line pays a part of its price, at the rate');
select is_empty(
  'select * from decided where spent > points or money > share * payable or (spent + 0.01 * rate <= points and money + 0.01 <= share * payable)',
  'the lines of an order together use as much as the limits allow, to the cent'
);
select ok(
  (select count(*) > 1000 from decided where money > 0), 'points pay for more than a third of the sampled orders'
);
select is(
  (select count(*) from generate_series(1, 2000) as n
    cross join lateral (select 99999999999999.9999 - n * 1234567.8917 as points, 0.01 + n * 499.99 as rate) as x
   cross join lateral (select app.money_of_points(x.points, x.rate) as money) as y
   where y.money * x.rate > x.points or (y.money + 0.01) * x.rate <= x.points),
  0::bigint, 'the money of large numbers of points is exact'
);

select * from finish();
rollback;
