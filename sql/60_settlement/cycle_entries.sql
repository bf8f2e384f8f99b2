-- The bill entries of a taken place: the commission, and the frozen points that come with it (R3).
-- Callers: settle_locked_order. Reads nothing.
create or replace function app.cycle_entries(p_settlement app.settlements, p_points_per_brokerage numeric)
returns app.bill_entry[]
language sql
immutable
set search_path = ''
as $$
  select array[
    (p_settlement.earner_uid, 'brokerage', 'cycle', p_settlement.commission, 0, 0,
      p_settlement.order_id, p_settlement.base, p_settlement.ratio, null, null, null)::app.bill_entry,
    (p_settlement.earner_uid, 'frozen_points_brokerage', 'cycle', 0, p_settlement.commission_points, 0,
      p_settlement.order_id, p_settlement.commission, p_points_per_brokerage, null, null, null)::app.bill_entry
  ]
$$;
