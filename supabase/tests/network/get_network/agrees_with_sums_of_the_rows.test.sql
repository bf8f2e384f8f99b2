-- Guarantee reports/network: The shape of the network agrees with sums of the bill rows, also after refunds and
-- corrected referrers. Looking at it changes nothing
-- By: stable functions, app.depths_of_earners
begin;
\ir ../../support/fixture.psql
select plan(13);

-- Three trees of 60 members, with commission and points over several levels. Nothing else is settled in the period.
select setseed(0.2);
select from app.create_plan('{"brokerage_scope": "umbrella", "max_depth": null}', null, now());
insert into app.users (uid, nickname, spread_uid, spread_time, spread_position, add_time) overriding system value
select 700000000 + n, 'm' || n,
  case when n % 60 > 0 then 700000000 + n - 1 - floor(random() * least(n % 60, 9))::bigint end,
  case when n % 60 > 0 then now() - interval '40 days' end, 0, now() - interval '40 days'
from generate_series(0, 179) as n;
insert into app.user_balances (uid) select 700000000 + n from generate_series(0, 179) as n;
select pg_temp.grade(700000000 + (n * 11) % 180, 1 + n % 4) from generate_series(1, 60) as n;
create temporary table members as select u.uid from app.users as u where u.uid between 700000000 and 700000179;
create temporary table sold as
select n,
  pg_temp.report(
    700000000 + floor(random() * 180)::bigint, 1 + n % 3, now() - interval '30 days' + n * interval '1 minute'
  ) as id
from generate_series(1, 150) as n;
-- Whole refunds, and refunds of one unit: commission and points are reversed.
select app.refund_order(s.id, null, null, now() - interval '10 days') from sold as s where s.n % 10 = 0;
select app.refund_order(
  s.id,
  (
    select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', 1)) from app.order_lines as l
    where l.order_id = s.id
  ),
  null, now() - interval '10 days'
)
from sold as s where s.n % 10 = 5 and s.n % 3 > 0;
-- Corrections by hand, after all of this: a tree, which is a closed branch, gets above another one, and two branches
-- are taken from those who have earned from them.
update app.users set spread_uid = 700000003, spread_time = now() where uid = 700000060;
create temporary table moved as
select a.uid from (
  select distinct o.referrer_uid as uid from app.user_bill as b join app.orders as o on o.id = b.order_id
  join sold as s on s.id = o.id
  where b.uid <> o.referrer_uid and b.brokerage_delta > 0 and o.referrer_uid > 700000120
) as a order by a.uid limit 2;
update app.users set spread_uid = null, spread_time = null where uid in (select uid from moved);
select pg_temp.sum_teams();

-- Everyone above everyone, one by one, from the members themselves.
create temporary table above as
with recursive above as (
  select m.uid, u.spread_uid as other, 1 as depth from members as m join app.users as u using (uid)
  where u.spread_uid is not null
  union all
  select a.uid, u.spread_uid, a.depth + 1 from above as a join app.users as u on u.uid = a.other
  where u.spread_uid is not null
)
select * from above;
create temporary table earned as
select b.uid, o.id as order_id, b.type, b.source, b.brokerage_delta as money,
  b.frozen_delta + b.available_delta as points, b.add_time,
  case
    when o.referrer_uid = b.uid then 1
    else (select a.depth + 1 from above as a where a.uid = o.referrer_uid and a.other = b.uid)
  end as depth
from app.user_bill as b join app.orders as o on o.id = b.order_id
where b.type in ('brokerage', 'brokerage_reversal', 'frozen_points_brokerage', 'frozen_points_reversal');

select set_config(
  'request.jwt.claims', jsonb_build_object('sub', pg_temp.administrator(), 'role', 'store_admin')::text, true
);
create temporary table shape as select api.get_network(5, 3) || api.get_network_paid() as report;
create temporary table pages as select m.uid, api.get_member_network(m.uid) as page from members as m;
create temporary table shown as
select p.uid, d.* from pages as p cross join lateral jsonb_to_recordset(p.page -> 'depths') as d (
  depth integer, people integer, commission numeric, commission_points numeric, direct_points numeric,
  umbrella_points numeric
);

select isnt_empty(
  'select from earned where depth is null and uid in (select uid from members) and money > 0',
  'somebody has earned commission from a branch that is no longer below'
);
select isnt_empty('select from earned where depth > 1 and money < 0', 'commission was reversed over several levels');
select is(
  (select count(*)::integer from app.closed_branches() as c where c.uid = 700000120), 1, 'a closed branch is among them'
);
select results_eq(
  'select uid, depth, people from shown where people > 0 order by 1, 2',
  'select other, depth, count(*)::integer from above group by 1, 2 order by 1, 2', 'people below each member by depth'
);
select results_eq(
  $$ select uid, depth, commission, commission_points, direct_points, umbrella_points from shown
    where (commission, commission_points, direct_points, umbrella_points) <> (0, 0, 0, 0) order by 1, 2 $$,
  $$ select * from (
    select uid, depth, sum(money) as money, coalesce(sum(points) filter (where source = 'cycle'), 0) as cycle,
      coalesce(sum(points) filter (where source = 'direct'), 0) as direct,
      coalesce(sum(points) filter (where source = 'umbrella'), 0) as umbrella
    from earned where uid in (select uid from members) group by 1, 2
  ) as e where (money, cycle, direct, umbrella) <> (0, 0, 0, 0)
  order by 1, 2 $$, 'what each member earned by depth and kind, less reversals'
);
select results_eq(
  $$ select uid, (page #>> '{own_sales,commission}')::numeric, (page #>> '{own_sales,points}')::numeric from pages
  where (page #>> '{own_sales,commission}') is not null order by uid $$,
  $$ select uid, trunc(coalesce(sum(money) filter (where depth = 1), 0) / sum(money), 4),
  trunc(coalesce(sum(points) filter (where depth = 1), 0) / nullif(sum(points), 0), 4)
    from earned where uid in (select uid from members) group by uid having sum(money) > 0
    order by uid $$, 'the share of own sales'
);
select is(
  (select (report ->> 'above')::bigint from shape),
  (select count(*) from (select other from above group by other having count(*) >= 5 and max(depth) >= 3) as t)
    + (
      select count(*) from app.network_members() as m
      where m.people >= 5 and m.depth >= 3 and m.uid not in (select uid from members)
    ),
  'members above the thresholds'
);
select results_eq(
  'select uid, people, direct_members, depth from app.network_members() where uid in (select uid from members) order by uid',
  'select other, count(*)::integer, (count(*) filter (where depth = 1))::integer, max(depth) from above group by other order by other',
  'how deep it is below each member'
);
select is(
  (select (report #>> '{deepest,commission,depth}')::integer from shape),
  (select max(depth) from earned where type = 'brokerage'), 'the deepest commission that was ever paid'
);
select is(
  (select (report #>> '{deepest,points,depth}')::integer from shape),
  (select max(depth) from earned where type = 'frozen_points_brokerage' and source <> 'cycle'),
  'the deepest points that were ever paid'
);
select is(
  (select (report #>> '{deepest,commission,depth}')::integer from shape),
  (
    select e.depth from earned as e
    join shape on e.order_id = (report #>> '{deepest,commission,order_id}')::bigint
      and e.uid = (report #>> '{deepest,commission,uid}')::bigint
    where e.type = 'brokerage'
  ),
  'by the order that it names'
);
select results_eq(
  $$ select d.* from shape cross join lateral jsonb_to_recordset(report -> 'depths') as d (
    depth integer, commission numeric, commission_points numeric, direct_points numeric, umbrella_points numeric)
    order by 1 $$,
  $$ select depth, sum(money), coalesce(sum(points) filter (where source = 'cycle'), 0),
  coalesce(sum(points) filter (where source = 'direct'), 0), coalesce(sum(points) filter (where source = 'umbrella'), 0)
    from earned where add_time >= (select (report ->> 'from')::timestamptz from shape) group by 1
    order by 1 $$, 'what was booked at each depth in the last days'
);
select is(
  (select concat_ws(' ', report #>> '{eligibility,earners}', report #>> '{eligibility,with_one_order}') from shape),
  (
    select concat_ws(
      ' ', count(*),
      count(*) filter (where (select count(*) from app.orders as o where o.uid = e.uid and o.paid_at is not null) = 1)
    )
    from (select distinct s.earner_uid as uid from app.settlements as s where s.earner_uid is not null) as e
  ), 'earners, and those who have bought once'
);

select * from finish();
rollback;
