-- The worst case: the price is the highest of all queue goods, on sale or not. The order takes the place with the highest rate.
-- Above the buyer stand a referrer of any grade and a member of the grade with the most umbrella points.
create or replace function app.worst_order(
  p_plan app.commission_plans, p_levels jsonb, out price numeric, out ratio numeric, out commission numeric, out payout_share numeric,
  out commission_points numeric, out level_points numeric, out points numeric, out cycle jsonb, out cycle_share numeric
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rules app.level_rule[] := app.level_rules(p_levels);
  v_top smallint := (select r.grade from unnest(v_rules) as r order by r.umbrella_points desc limit 1);
  v_members app.tree_member[];
  v_settlements app.settlements[];
  v_plans app.commission_plans[];
begin
  price := (select coalesce(max(g.price), 0.00) from app.products as g where g.is_queue_goods and not g.is_del);
  v_plans[p_plan.version] := p_plan;
  -- For each grade, in this order: a buyer, a referrer of that grade, and above them a member of the grade with the most umbrella points.
  v_members := array(
    select (
      m.place, case when m.place < 3 then 3 * (m.number - 1) + m.place + 1 end, case m.place when 2 then m.grade when 3 then v_top else 0 end,
      true, false, 0, 0, 0, 0, 0, false
    )::app.tree_member
    from (
      select dense_rank() over (order by r.grade) as number, r.grade, p.place from unnest(v_rules) as r cross join generate_series(1, 3) as p (place)
    ) as m
    order by m.number, m.place
  );
  level_points := (
    select coalesce(max(o.points), 0) from (
      select sum(g.points) as points
      from unnest((app.decide_levels(array(
        select ('settle', 3 * (n - 1) + 1, n, 1, p_plan.max_depth, 0, null, null, null, null, null)::app.tree_event
        from generate_series(1, cardinality(v_rules)) as n
      ), v_members, v_rules)).grants) as g
      group by g.order_id
    ) as o
  );
  -- One order of the first buyer for each place of a cycle.
  v_settlements := (app.decide_cycles(
    array(
      select ('settle', n, 1, 1, 2, p_plan.version, p_plan.version, 'infinity', worst_order.price, 1, null, true)::app.order_facts
      from generate_series(1, p_plan.people_per_cycle) as n
    ),
    v_members, array[null, (2, '-infinity', 0, null, false, null, null, 0)::app.cycle_state]::app.cycle_state[], v_plans
  )).settlements;
  select
    max(s.rate), max(s.commission), max(s.commission_points),
    jsonb_agg(jsonb_build_object('place', s.place, 'ratio', trim_scale(s.rate), 'commission', s.commission::text) order by s.place),
    app.round_down(sum(s.commission) / nullif(worst_order.price * count(*), 0), 5)
  into ratio, commission, commission_points, cycle, cycle_share
  from unnest(v_settlements) as s;
  payout_share := app.round_down(commission / nullif(price, 0), 5);
  points := commission_points + level_points;
end
$$;

comment on function app.worst_order is
  'Returns the most that one order of one unit can pay under a plan and level settings, as the engine decides it. p_levels has '
  'the form of app.levels_json(). cycle lists what each place of one cycle pays: [{place, ratio, commission}]. Shares are '
  'fractions of the price; null if the price is 0.';
