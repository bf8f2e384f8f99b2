-- Gives a settlement the next place in its earner's cycle and what it pays: the lowest free place of the open cycle, or
-- the first of a new cycle, which opens with the order's plan and keeps it to its end. The last place closes the cycle.
-- Returns the settlement and what changes in the earner's row, for book_entries to write.
-- Callers: book_settlement. Locks: the earner's row (R10). Raises: nothing.
-- Not safe twice: the settlement's unique row is what makes it once.
create or replace function app.take_place(
  p_settlement app.settlements, p_plan app.commission_plans, out settlement app.settlements, out change app.member_change
)
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_row app.user_balances;
  v_plan app.commission_plans := p_plan;
  v_taken smallint[];
begin
  settlement := p_settlement;
  select b.* into v_row from app.user_balances as b where b.uid = settlement.earner_uid for update;
  settlement.cycle_no := v_row.cycle_no + (not v_row.cycle_is_open)::integer;
  if v_row.cycle_is_open and v_row.cycle_plan_version <> p_plan.version then
    select p.* into v_plan from app.commission_plans as p where p.version = v_row.cycle_plan_version;
  end if;

  v_taken := array(
    select s.place from app.settlements as s
    where s.earner_uid = settlement.earner_uid and s.cycle_no = settlement.cycle_no and s.place_freed_at is null
  );
  settlement.place := 1;
  while settlement.place = any (v_taken) loop
    settlement.place := settlement.place + 1;
  end loop;
  settlement.cycle_plan_version := v_plan.version;
  settlement.ratio := v_plan.tier_ratios[settlement.place];
  settlement.commission := app.cycle_commission(settlement.base, settlement.ratio);
  settlement.commission_points := app.commission_points(settlement.commission, v_plan.points_per_brokerage);
  change := (settlement.earner_uid, 0, 0, 0, 0, 0, 1, settlement.cycle_no, v_plan.version, cardinality(v_taken) + 1 < v_plan.people_per_cycle);
end
$$;
