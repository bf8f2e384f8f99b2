begin;
\ir ../../support/fixture.psql
select plan(13);

delete from app.products where is_queue_goods and id <> (select flagship from goods);
create function pg_temp.worst(p_plan jsonb) returns text language sql as $$
  select concat_ws(
    ' ', w.price, trim_scale(w.ratio), w.commission, w.payout_share, trim_scale(w.commission_points),
    trim_scale(w.level_points), trim_scale(w.points)
  )
  from app.worst_order(app.draft_plan(p_plan), app.levels_json()) as w
$$;

-- 1300 directly to a Branch, or 500 to a Maker and 800 above: 0 + 800 | 500 + 800 | 800 + 500 | 1000 + 300 | 1300 + 0.
select is(pg_temp.worst('{}'), '3600.00 0.5 1800.00 0.50000 1800 1300 3100', 'the plan in force is the default');
select is(
  pg_temp.worst('{"people_per_cycle": 2, "tier_ratios": [0.33333, 0.1], "points_per_brokerage": 0.5}'),
  '3600.00 0.33333 1199.98 0.33332 599.99 1300 1899.99', 'the amount is rounded down once, like that of an order'
);
select is((select w.cycle from app.worst_order(app.draft_plan('{}'), app.levels_json()) as w),
  '[{"place": 1, "ratio": 0.2, "commission": "720.00"}, {"place": 2, "ratio": 0.3, "commission": "1080.00"}, {"place": 3, "ratio": 0.5, "commission": "1800.00"}]',
  'each place of a cycle');
select is(
  (select trim_scale(w.cycle_share) from app.worst_order(app.draft_plan('{}'), app.levels_json()) as w), 0.33333,
  'a complete cycle costs a third of the price of its orders'
);

-- With 2000 in place of the direct points of a grade, the referrer of that grade gets the most.
select is(
  (
    select trim_scale(w.level_points) from app.worst_order(app.draft_plan('{}'), (
      select jsonb_agg(case l ->> 'grade' when g.n::text then l || '{"direct_points": 2000}' else l end)
      from jsonb_array_elements(app.levels_json()) as l
    )) as w
  ), g.points::numeric, format('grade %s is considered', g.n)
) from (values (0, 2800), (1, 2800), (3, 2300), (4, 2000)) as g (n, points);

create temporary table steep as select jsonb_agg(
  case l ->> 'grade' when '2' then l || '{"direct_points": 950}' else l end
) as levels
  from jsonb_array_elements(app.levels_json()) as l;
select is(
  (select trim_scale(w.level_points) from app.worst_order(app.draft_plan('{}'), (select levels from steep)) as w),
  1450::numeric, 'the most expensive order grants 950 to a cloud store and 500 above'
);
select is(
  (
    select trim_scale(w.level_points)
    from app.worst_order(app.draft_plan('{"max_depth": 1}'), (select levels from steep)) as w
  ),
  1300::numeric, 'with max_depth 1, there are no points above'
);

-- The same by settling such an order: a cloud store refers the buyer, a branch refers the cloud store.
select app.set_agent_levels((select levels from steep), null, now());
create temporary table tree as select pg_temp.grade(pg_temp.sign_up(), 4) as top;
create temporary table m as select pg_temp.grade(pg_temp.sign_up((select top::text from tree)), 2) as middle;
create temporary table o as select pg_temp.report(pg_temp.sign_up((select middle::text from m))) as id;
select is(
  (select trim_scale(sum(b.frozen_delta)) from app.user_bill as b join o on b.order_id = o.id), 1450::numeric,
  'settling such an order grants the same points'
);

update app.products set is_show = false, price = 5000 where id = (select flagship from goods);
select is(
  (select w.commission from app.worst_order(app.draft_plan('{}'), app.levels_json()) as w), 2500.00,
  'goods that are not on sale are included'
);
update app.products set is_del = true where is_queue_goods;
select is(pg_temp.worst('{}'), '0.00 0.5 0.00 0 1450 1450', 'without queue goods there is no share');

select * from finish();
rollback;
