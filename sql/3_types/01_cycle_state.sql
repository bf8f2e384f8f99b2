-- A member as the cycle rule sees them, at the same index as in the array of tree_member. Null fields but uid: nobody asked.
-- reported_since: payment of the first reported order of their own that is not refunded (R4).
-- cycle_no, plan_version and is_open are those of the last cycle; taken and orders: its live places and who took them,
-- while it is open.
-- placed: how many places were taken since it was loaded, less those that were freed.
create type app.cycle_state as (
  uid bigint,
  reported_since timestamptz,
  cycle_no integer,
  plan_version integer,
  is_open boolean,
  taken smallint[],
  orders bigint[],
  placed integer
);
