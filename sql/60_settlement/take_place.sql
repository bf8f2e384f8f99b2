-- Gives a settlement the next place in its earner's cycle and what it pays: the lowest free place of the open cycle, or
-- the first of a new cycle, which opens with the order's plan and keeps it to its end. The last place closes the cycle.
-- Callers: book_settlement. Locks: the earner's row (R10). Raises: nothing.
-- Not safe twice: the settlement's unique row is what makes it once.
create or replace function app.take_place(p_settlement app.settlements, p_plan app.commission_plans)
returns app.settlements
language plpgsql
set search_path = ''
as $$
declare
  v_row app.user_balances;
  v_plan app.commission_plans := p_plan;
  v_free_places integer;
begin
  select b.* into v_row from app.user_balances as b where b.uid = p_settlement.earner_uid for update;
  p_settlement.cycle_no := v_row.cycle_no + (not v_row.cycle_is_open)::integer;
  if v_row.cycle_is_open and v_row.cycle_plan_version <> p_plan.version then
    select p.* into v_plan from app.commission_plans as p where p.version = v_row.cycle_plan_version;
  end if;

  select min(g.place), count(*) into p_settlement.place, v_free_places
  from generate_series(1, v_plan.people_per_cycle) as g (place)
  where not exists (
    select from app.settlements as s
    where s.earner_uid = p_settlement.earner_uid and s.cycle_no = p_settlement.cycle_no and s.place = g.place and s.place_freed_at is null
  );
  update app.user_balances as b
  set cycle_no = p_settlement.cycle_no, cycle_plan_version = v_plan.version, cycle_is_open = v_free_places > 1,
      total_places = b.total_places + 1
  where b.uid = p_settlement.earner_uid;

  p_settlement.cycle_plan_version := v_plan.version;
  p_settlement.ratio := v_plan.tier_ratios[p_settlement.place];
  p_settlement.commission := app.cycle_commission(p_settlement.base, p_settlement.ratio);
  p_settlement.commission_points := app.commission_points(p_settlement.commission, v_plan.points_per_brokerage);
  return p_settlement;
end
$$;
