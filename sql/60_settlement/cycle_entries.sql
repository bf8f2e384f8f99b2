-- The bill entries of a taken place: the commission, and the frozen points that come with it (R3) by the plan of the cycle.
-- Callers: book_settlement. Reads only.
-- In plpgsql because its plan is kept: see get_upline.
create or replace function app.cycle_entries(p_settlement app.settlements)
returns app.bill_entry[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_points_per_brokerage numeric := (
    select p.points_per_brokerage from app.commission_plans as p where p.version = p_settlement.cycle_plan_version
  );
begin
  return array[
    (p_settlement.earner_uid, 'brokerage', 'cycle', p_settlement.commission, 0, 0,
      p_settlement.order_id, p_settlement.base, p_settlement.ratio, null, null, null)::app.bill_entry,
    (p_settlement.earner_uid, 'frozen_points_brokerage', 'cycle', 0, p_settlement.commission_points, 0,
      p_settlement.order_id, p_settlement.commission, v_points_per_brokerage, null, null, null)::app.bill_entry
  ];
end
$$;
