-- Members join with a referrer, or get one afterwards, all at one instant: only positions say what came first.
begin;
\ir ../../support/fixture.psql
select plan(6);

select app.set_agent_levels('[
  {"grade": 0, "name": "Member", "name_zh": "会员", "direct_points": "0", "umbrella_points": "0", "tasks": {}},
  {"grade": 1, "name": "Seller", "name_zh": "销售", "direct_points": "2.5", "umbrella_points": "1", "tasks": {"umbrella_orders": 1}}
]', null, now());
create temporary table r as select pg_temp.sign_up() as a, pg_temp.sign_up() as b, pg_temp.sign_up() as c;
-- One has bought before they get the referrer, above one somebody else has, one signs up with the referrer.
create temporary table m as select pg_temp.sign_up() as buyer, pg_temp.sign_up() as above,
  pg_temp.sign_up((select c::text from r)) as joined;
select pg_temp.report(buyer) from m;
select pg_temp.report(pg_temp.sign_up((select above::text from m)));
create temporary table first_sales as select referrer, pg_temp.report(pg_temp.sign_up(referrer::text)) as id
  from r, lateral (values (a), (b), (c)) as v (referrer);
select app.bind_spread(buyer, a, now()), app.bind_spread(above, b, now()) from m, r;
create temporary table last_sales as select referrer, pg_temp.report(pg_temp.sign_up(referrer::text)) as id
  from r, lateral (values (a), (b), (c)) as v (referrer);

select is(
  (select count(*) from app.users as u, m where u.uid in (buyer, above, joined) and u.spread_time = u.add_time),
  3::bigint, 'all got their referrer at the instant at which they signed up'
);
select bag_eq(
  'select l.uid from app.referred_later(0) as l (uid)', 'select unnest(array[buyer, above]) from m',
  'those below whom something was settled before got it later'
);
select is(
  (
    select count(*) from app.user_bill as l, r
    where l.order_id in (select id from first_sales) and l.uid in (a, b, c) and l.source = 'direct'
  ),
  0::bigint, 'the first sale of a referrer is paid by the lowest level'
);
select is(
  (
    select sum(l.frozen_delta) from app.user_bill as l, r
    where l.order_id in (select id from last_sales) and l.uid in (a, b, c) and l.source = 'direct'
  ),
  7.5, 'the last one by the level that they have reached'
);
create temporary table replayed as select app.simulate(null, null, now(), now() + interval '1 day') as report;
select is(p.report #> '{totals,simulated}', p.report #> '{totals,paid}', 'a replay pays the same') from replayed as p;
select is_empty(
  $$select m.value from replayed as p, jsonb_array_elements(p.report -> 'members') as m
  where m.value -> 'points' <> m.value -> 'paid_points'$$,
  'to each of them'
);

select * from finish();
rollback;
