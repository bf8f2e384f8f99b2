-- The most that one order of one unit can pay under a plan and level settings: at the highest price of queue goods, on sale
-- or not, at the place with the highest ratio, in the tree that the levels give most points in. cycle: what each place of one
-- cycle pays at that price, [{place, ratio, commission}]. Shares are of what the orders bring in; null where that is nothing.
-- p_levels: as levels_json gives them. Callers: verify_plan, api.preview_brokerage_config. Reads only.
create or replace function app.worst_order(p_plan app.commission_plans, p_levels jsonb)
returns table (
  price numeric, ratio numeric, commission numeric, payout_share numeric, commission_points numeric, level_points numeric,
  points numeric, cycle jsonb, cycle_share numeric
)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with goods as (
    select coalesce(max(g.price), 0.00) as price from app.products as g where g.is_queue_goods and not g.is_del
  ),
  places as (
    select r.place, r.ratio, app.cycle_commission(g.price, r.ratio) as commission
    from unnest(p_plan.tier_ratios) with ordinality as r (ratio, place) cross join goods as g
  ),
  cycle as (
    select max(p.ratio) as ratio, max(p.commission) as commission, sum(p.commission) as total, count(*) as places,
      jsonb_agg(jsonb_build_object('place', p.place, 'ratio', trim_scale(p.ratio), 'commission', p.commission::text) order by p.place) as list
    from places as p
  ),
  levels as (
    select l.direct_points, l.umbrella_points from jsonb_populate_recordset(null::app.agent_levels, p_levels) as l
  ),
  -- What members above the referrer are paid in steps comes to what the highest grade is paid above the referrer's at once.
  grants as (
    select coalesce(max(app.level_points(
      l.direct_points + case when p_plan.max_depth = 1 then 0 else app.umbrella_share(h.umbrella_points, l.umbrella_points) end, 1
    )), 0) as points
    from levels as l cross join (select max(a.umbrella_points) as umbrella_points from levels as a) as h
  )
  select g.price, c.ratio, c.commission, app.round_down(c.commission / nullif(g.price, 0), 5), p.points, n.points, p.points + n.points,
    c.list, app.round_down(c.total / nullif(g.price * c.places, 0), 5)
  from goods as g cross join cycle as c cross join grants as n
  cross join lateral (select app.commission_points(c.commission, p_plan.points_per_brokerage) as points) as p
$$;
