-- Generic query plan: see app.get_upline.
create or replace function app.cycle_at(p_settlement app.settlements)
returns app.cycle_state
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  -- If no earlier settlement is in this cycle, this settlement opened it, and the previous cycle had ended.
  return (
    select (
      p_settlement.earner_uid,
      (
        -- What the settlement recorded, but only if the earner has such an order (R4).
        select o.paid_at from app.orders as o
        where o.uid = p_settlement.earner_uid and o.paid_at = p_settlement.eligible_since and o.has_queue_goods and not o.below_minimum
        limit 1
      ),
      p_settlement.cycle_no - (count(*) = 0)::integer,
      min(s.cycle_plan_version), count(*) > 0,
      coalesce(array_agg(s.place) filter (where s.place_freed_position is null or s.place_freed_position > p_settlement.position), '{}'),
      coalesce(array_agg(s.order_id) filter (where s.place_freed_position is null or s.place_freed_position > p_settlement.position), '{}'),
      0
    )::app.cycle_state
    from app.taken_places as s
    where s.earner_uid = p_settlement.earner_uid and s.cycle_no = p_settlement.cycle_no and s.position < p_settlement.position
  );
end
$$;

comment on function app.cycle_at is
  'Returns the cycle of a settlement''s earner as it was before the settlement took its place.';
