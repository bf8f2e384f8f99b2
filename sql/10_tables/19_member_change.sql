-- What changes in the row of one member besides the balances: what is added to the task counters, and the state of the
-- commission cycle (null: as it is).
create type app.member_change as (
  uid bigint,
  own_orders integer,
  direct_orders integer,
  umbrella_orders integer,
  direct_members integer,
  umbrella_members integer,
  places integer,
  cycle_no integer,
  cycle_plan_version integer,
  cycle_is_open boolean
);
