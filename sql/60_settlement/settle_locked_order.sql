-- Decides and books everything that one order causes, in one go: who earns which place (R1, R4, R10), commission and
-- points (R3, R6, R7) at the levels held before, what counts (R8, R9), who rises (R5).
-- Callers: settle_order. Locks: the caller holds structure, order and participants, in this order.
-- Raises: unique_violation if the order was settled before (the caller has looked). Safe twice: by that key.
create or replace function app.settle_locked_order(p_order app.orders, p_now timestamptz)
returns app.settlements
language plpgsql
set search_path = ''
as $$
declare
  v_plan app.commission_plans;
  v_upline app.upline_member[] := array(select app.upline_shares(p_order.uid));
  v_settlement app.settlements;
  v_taken record;
  v_entries app.bill_entry[] := array[]::app.bill_entry[];
begin
  select p.* into v_plan from app.commission_plans as p where p.version = p_order.plan_version;
  v_settlement := app.open_settlement(p_order, v_plan, cardinality(v_upline), p_now);

  if v_settlement.earner_uid is not null then
    v_taken := app.take_place(v_settlement.earner_uid, p_order.plan_version);
    v_settlement.cycle_no := v_taken.cycle_no;
    v_settlement.place := v_taken.place;
    v_settlement.cycle_plan_version := (v_taken.plan).version;
    v_settlement.ratio := (v_taken.plan).tier_ratios[v_taken.place];
    v_settlement.commission := app.cycle_commission(v_settlement.base, v_settlement.ratio);
    v_settlement.commission_points :=
      app.commission_points(v_settlement.commission, (v_taken.plan).points_per_brokerage);
    v_entries := app.cycle_entries(v_settlement, (v_taken.plan).points_per_brokerage);
  end if;
  insert into app.settlements values (v_settlement.*);

  if v_settlement.base > 0 then
    v_entries := v_entries || app.level_entries(p_order, v_plan.max_depth, v_upline);
  end if;
  if app.is_counted(p_order) then
    perform app.count_order(p_order);
    perform app.raise_levels(p_order.uid, p_order.id, p_now);
  end if;
  perform app.book_entries(v_entries, p_now);
  return v_settlement;
end
$$;
