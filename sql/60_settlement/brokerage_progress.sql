-- The state of a member's commission cycle, as clients see it: the open cycle with its own plan, or the next one with
-- the plan in force. Scope and timing are those of the plan in force, which the next order will follow.
-- Callers: api.get_brokerage_progress, api.get_assets_overview. Reads only, with the caller's rights.
-- In plpgsql because its plan is kept: see get_upline.
create or replace function app.brokerage_progress(p_uid bigint, p_now timestamptz)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select jsonb_build_object(
      'plan_version', p.version,
      'people_per_cycle', p.people_per_cycle,
      'tier_ratios', (select jsonb_agg(trim_scale(r.ratio) order by r.place) from unnest(p.tier_ratios) with ordinality as r (ratio, place)),
      'brokerage_scope', active.brokerage_scope,
      'brokerage_timing', active.brokerage_timing,
      'eligible', app.has_reported_order(p_uid, p_now),
      'cycle_no', c.cycle_no,
      'cycle_current', p.people_per_cycle - f.free_places,
      'cycle_remaining', f.free_places,
      'next_ratio', trim_scale(p.tier_ratios[f.next_place]),
      'total_places', b.total_places,
      'total_brokerage', b.total_brokerage::text
    )
    from app.user_balances as b
    join app.commission_plans as active on active.version = app.active_plan_version()
    cross join lateral (
      select case when b.cycle_is_open then b.cycle_no else b.cycle_no + 1 end as cycle_no
    ) as c
    join app.commission_plans as p on p.version = case when b.cycle_is_open then b.cycle_plan_version else active.version end
    cross join lateral (
      select count(*)::integer as free_places, min(g.place) as next_place
      from generate_series(1, p.people_per_cycle) as g (place)
      where not exists (
        select from app.settlements as s
        where s.earner_uid = p_uid and s.cycle_no = c.cycle_no and s.place = g.place and s.place_freed_at is null
      )
    ) as f
    where b.uid = p_uid
  );
end
$$;

grant execute on function app.brokerage_progress(bigint, timestamptz) to authenticated, store_admin;
