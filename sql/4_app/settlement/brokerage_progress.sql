-- Has no set clause, so that the planner can inline it. `offset 0` keeps the planner from reading the places again for each use
-- of them.
create or replace function app.brokerage_progress(p_uid bigint, p_now timestamptz)
returns setof jsonb
language sql
stable
rows 1
as $$
  select pg_catalog.jsonb_build_object(
    'plan_version', p.version,
    'people_per_cycle', p.people_per_cycle,
    'tier_ratios', pg_catalog.to_jsonb(array(select pg_catalog.trim_scale(r) from pg_catalog.unnest(p.tier_ratios) as r)),
    'brokerage_scope', active.brokerage_scope,
    'brokerage_timing', active.brokerage_timing,
    'eligible', app.has_reported_order(b.uid, p_now),
    'cycle_no', c.cycle_no,
    'cycle_current', pg_catalog.cardinality(t.places),
    'cycle_remaining', p.people_per_cycle - pg_catalog.cardinality(t.places),
    'next_ratio', pg_catalog.trim_scale(p.tier_ratios[(
      select pg_catalog.min(g) from pg_catalog.generate_series(1, p.people_per_cycle) as g where g <> all (t.places)
    )]),
    'total_places', b.total_places,
    'total_brokerage', b.total_brokerage::pg_catalog.text
  )
  from app.user_balances as b
  cross join lateral (select a.* from app.commission_plans as a order by a.version desc limit 1) as active
  cross join lateral (select case when b.cycle_is_open then b.cycle_no else b.cycle_no + 1 end as cycle_no) as c
  join app.commission_plans as p on p.version = case when b.cycle_is_open then b.cycle_plan_version else active.version end
  cross join lateral (
    select array(
      select s.place from app.taken_places as s
      where s.earner_uid = b.uid and s.cycle_no = c.cycle_no and s.place_freed_at is null
    ) as places
    offset 0
  ) as t
  where b.uid = p_uid
$$;

comment on function app.brokerage_progress is
  'Returns the state of a member''s commission cycle as the API shows it: the open cycle with its plan, or the next one with '
  'the plan in force. Scope and timing are those of the plan in force. No row if there is no such member.';

grant execute on function app.brokerage_progress(bigint, timestamptz) to store_admin;
