-- Generic query plan: see app.get_upline.
create or replace function app.settlement_differences(p_settlement app.settlements)
returns table (subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  with again as materialized (select d.settlement as s, d.grants from app.decide_again(p_settlement) as d),
  decided as (
    select e.*, row_number() over (partition by e.uid, e.type, e.source) as ordinal
    from again as a cross join lateral unnest(
      app.settlement_entries(array[a.s], a.grants, app.load_plans(array[(a.s).cycle_plan_version]))
    ) as e
  ),
  booked as (
    -- Numbered, so that a second row of the same kind has nothing to be compared with.
    select l.*, row_number() over (partition by l.uid, l.type, l.source order by l.id) as ordinal
    from app.user_bill as l
    where l.order_id = p_settlement.order_id and l.reverses_id is null and app.is_earned(l.type)
  )
  select
    'settlement', concat_ws(' ', (a.s).earner_uid, (a.s).reason, (a.s).cycle_no, (a.s).place, (a.s).rate, (a.s).commission, (a.s).commission_points),
    concat_ws(
      ' ', p_settlement.earner_uid, p_settlement.reason, p_settlement.cycle_no, p_settlement.place, p_settlement.rate,
      p_settlement.commission, p_settlement.commission_points
    )
  from again as a
  where ((a.s).earner_uid, (a.s).reason, (a.s).cycle_no, (a.s).place, (a.s).rate, (a.s).commission, (a.s).commission_points)
    is distinct from (
      p_settlement.earner_uid, p_settlement.reason, p_settlement.cycle_no, p_settlement.place, p_settlement.rate,
      p_settlement.commission, p_settlement.commission_points
    )
  union all
  select
    format('%s of uid %s', coalesce(d.source, b.source), coalesce(d.uid, b.uid)),
    coalesce(nullif(concat_ws(' ', d.brokerage_delta + d.frozen_delta, 'level ' || d.agent_level, 'passed on ' || d.passed_on), ''), 'nothing'),
    coalesce(nullif(concat_ws(' ', b.brokerage_delta + b.frozen_delta, 'level ' || b.agent_level, 'passed on ' || b.passed_on), ''), 'nothing')
  from decided as d
  full join booked as b on b.uid = d.uid and b.type = d.type and b.source = d.source and b.ordinal = d.ordinal
  where (d.brokerage_delta, d.frozen_delta, d.basis, d.rate, d.agent_level, d.passed_on)
    is distinct from (b.brokerage_delta, b.frozen_delta, b.basis, b.rate, b.agent_level, b.passed_on);
end
$$;

comment on function app.settlement_differences is
  'Returns how a settlement, decided again, differs from what was booked: earner or reason, cycle, place, rate, amounts, and '
  'the grants in the bill. No rows if nothing differs.';
