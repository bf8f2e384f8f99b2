-- Rows of the bill and states of cycles as values, before they are booked.

create type app.bill_entry as (
  uid bigint,
  type text,
  source text,
  brokerage_delta numeric(14,2),
  frozen_delta numeric(18,4),
  available_delta numeric(18,4),
  order_id bigint,
  basis numeric(18,4),
  rate numeric(18,5),
  agent_level smallint,
  passed_on numeric(18,4),
  reverses_id bigint,
  withdrawal_id bigint,
  adjustment_id bigint
);
comment on type app.bill_entry is 'A bill row that is to be booked, before the balances after it are known.';

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
comment on type app.cycle_state is
  'A member as the cycle rule sees them, at the same index as in the array of app.tree_member. Fields that were not '
  'loaded are null.';
comment on column app.cycle_state.reported_since is
  'Payment of the first own reported order that is not refunded (R4).';
comment on column app.cycle_state.cycle_no is 'The last cycle of the member, to which plan_version and is_open belong.';
comment on column app.cycle_state.taken is
  'Taken places of the last cycle while it is open. orders has the order of each at the same index.';
comment on column app.cycle_state.placed is 'Places taken since the state was loaded, less places freed.';
