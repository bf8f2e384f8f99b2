begin;
\ir ../../support/fixture.psql
\ir ../../support/withdrawals.psql
\ir ../../support/points.psql
select plan(8);

create temporary table m as select pg_temp.reporter() as a;
create temporary table tea as select pg_temp.product(100) as id;
create function pg_temp.accounts() returns jsonb language sql as $$
  select app.accounts_json(b, now()) from m cross join lateral pg_temp.balances(m.a) as b
$$;
-- Both equations, by the terms of the result.
create function pg_temp.adds_up(p_event text) returns text language sql as $$
  select is(
    array[(c ->> 'opening')::numeric + (c ->> 'earned')::numeric + (c ->> 'adjusted')::numeric,
    (p ->> 'opening')::numeric + (p ->> 'earned')::numeric + (p ->> 'adjusted')::numeric],
    array[
      (c ->> 'withdrawable')::numeric + (c ->> 'held_by_refunds')::numeric + (c ->> 'maturing')::numeric
        + (c ->> 'reserved')::numeric + (c ->> 'paid')::numeric,
      (p ->> 'frozen')::numeric + (p ->> 'available')::numeric + (p ->> 'spent')::numeric
    ], p_event
  )
  from pg_temp.accounts() as t, lateral (select t -> 'commission' as c, t -> 'points' as p) as s
$$;

create temporary table o as select pg_temp.earn(m.a) as received, pg_temp.report(pg_temp.sign_up(m.a::text)) as maturing
  from m;
select pg_temp.adds_up('commission, matured and maturing');
select from m, app.create_adjustment(m.a, -20, 5, 100, 'Test', null, now());
select pg_temp.adds_up('an adjustment');
create temporary table w as select pg_temp.withdraw(a, 300) as id from m;
select pg_temp.adds_up('an open withdrawal');
select pg_temp.approve(id) from w;
select from w, app.move_withdrawal(app.lock_withdrawal(w.id), 'paid', now());
select pg_temp.adds_up('a paid withdrawal');
create temporary table s as select pg_temp.order_with(m.a, array[array[tea.id, 1]], 30) as id from m, tea;
select pg_temp.adds_up('points at checkout');
select is(
  pg_temp.accounts(),
  '{"commission": {"opening": "0.00", "earned": "1800.00", "adjusted": "-20.00", "withdrawable": "400.00", "held_by_refunds": "0.00", "maturing": "1080.00", "reserved": "0.00", "paid": "300.00"},
    "points": {"opening": 0, "earned": 1800, "adjusted": 105, "frozen": 1805, "available": 70, "spent": 30}}', 'every amount has its place'
);
select from o, app.refund_order(o.received, null, null, now());
select pg_temp.adds_up('a refund of commission that was paid out');
select from s, app.cancel_order(s.id, now());
select is(pg_temp.accounts() #>> '{points,spent}', '0', 'points that returned are not spent');

select * from finish();
rollback;
