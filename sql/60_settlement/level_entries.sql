-- The points that an order grants by level (R5, R6, R7): direct points to the buyer's referrer, then to each ancestor
-- the umbrella amount above what is passed on. Levels are those held now, before this order raises any.
-- p_upline: the chain above the buyer, as upline_shares gives it.
-- Callers: book_settlement. Reads nothing.
-- In plpgsql with the generic plan, which is kept: see get_upline.
create or replace function app.level_entries(p_order app.orders, p_max_depth integer, p_upline app.upline_member[])
returns app.bill_entry[]
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    select coalesce(array_agg(
      (s.uid, 'frozen_points_brokerage', case s.depth when 1 then 'direct' else 'umbrella' end,
        0, app.level_points(p.per_unit, p_order.queue_units), 0,
        p_order.id, p_order.queue_units, p.per_unit, s.agent_level, case when s.depth > 1 then s.passed_on end, null
      )::app.bill_entry
      order by s.depth
    ), '{}')
    from unnest(p_upline) as s
    cross join lateral (
      select case s.depth when 1 then s.direct_points else app.umbrella_share(s.umbrella_points, s.passed_on) end as per_unit
    ) as p
    -- An order made before its buyer had a referrer pays nobody.
    where p.per_unit > 0 and p_order.referrer_uid is not null and s.depth <= coalesce(p_max_depth, s.depth)
  );
end
$$;
