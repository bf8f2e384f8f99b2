-- Takes the next place in a referrer's cycle: the lowest free one of the open cycle, or the first of a new cycle, which
-- opens with the given plan and keeps it to its end. The last place closes the cycle.
-- Callers: settle_locked_order. Locks: the referrer's row (R10). Raises: nothing.
-- Not safe twice: the settlement's unique row is what makes it once.
create or replace function app.take_place(
  p_uid bigint, p_plan_version integer, out cycle_no integer, out place smallint, out plan app.commission_plans
)
language plpgsql
set search_path = ''
as $$
declare
  v_row app.user_balances;
  v_free_places integer;
begin
  select b.* into v_row from app.user_balances as b where b.uid = p_uid for update;
  cycle_no := case when v_row.cycle_is_open then v_row.cycle_no else v_row.cycle_no + 1 end;
  select p.* into plan from app.commission_plans as p
  where p.version = case when v_row.cycle_is_open then v_row.cycle_plan_version else p_plan_version end;

  select min(g.place), count(*) into place, v_free_places
  from generate_series(1, plan.people_per_cycle) as g (place)
  where not exists (
    select from app.settlements as s
    where s.earner_uid = p_uid and s.cycle_no = take_place.cycle_no and s.place = g.place and s.place_freed_at is null
  );
  update app.user_balances as b
  set cycle_no = take_place.cycle_no, cycle_plan_version = plan.version, cycle_is_open = v_free_places > 1,
      total_places = b.total_places + 1
  where b.uid = p_uid;
end
$$;
