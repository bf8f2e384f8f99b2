-- Decides and books everything that one order causes, in one go: who earns which place (R1, R4, R10), commission and
-- points (R3, R6, R7) at the levels held before, what counts (R8, R9), who rises (R5).
-- Callers: settle_locked_order. Locks: the caller holds structure, order and participants, in this order.
-- Raises: unique_violation if the order was settled before (the caller has looked). Safe twice: by that key.
create or replace function app.book_settlement(p_order app.orders, p_now timestamptz)
returns app.settlements
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  v_plan app.commission_plans;
  v_upline app.upline_member[] := array(select app.upline_shares(p_order.uid));
  v_settlement app.settlements;
  v_entries app.bill_entry[] := '{}';
  v_changes app.member_change[] := '{}';
  v_taken record;
begin
  select p.* into v_plan from app.commission_plans as p where p.version = p_order.plan_version;
  v_settlement := app.open_settlement(p_order, v_plan, cardinality(v_upline), p_now);
  if v_settlement.earner_uid is not null then
    v_taken := app.take_place(v_settlement, v_plan);
    v_settlement := v_taken.settlement;
    v_changes := v_changes || v_taken.change;
    v_entries := app.cycle_entries(v_settlement);
  end if;
  insert into app.settlements values (v_settlement.*);

  if v_settlement.base > 0 then
    v_entries := v_entries || app.level_entries(p_order, v_plan.max_depth, v_upline);
  end if;
  if app.is_counted(p_order) then
    v_changes := v_changes || app.order_counts(p_order, v_upline, 1);
  end if;
  perform app.book_entries(v_entries, v_changes, p_now);
  if v_settlement.state = 'settled' then
    perform app.raise_levels(p_order.uid, v_upline, p_order.id, p_now);
  end if;
  return v_settlement;
end
$$;
