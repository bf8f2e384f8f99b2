-- Rows of a simulation.

create type app.simulated_amount as (order_id bigint, uid bigint, money numeric, points numeric);
comment on type app.simulated_amount is
  'What a simulation pays a member for an order, less what refunds take back by the end of the period.';

create type app.simulated_order as (
  order_id bigint,
  uid bigint,
  referrer_uid bigint,
  at timestamptz,
  position bigint,
  plan_version integer,
  plan_in_force integer,
  level_version integer,
  paid_at timestamptz,
  base numeric(14,2),
  units integer,
  refund_status smallint,
  below_minimum boolean,
  base_left numeric(14,2),
  units_left integer,
  is_imported boolean
);
comment on type app.simulated_order is
  'An order that a simulation settles, as it is at that moment. at and position place it in the sequence of events. base_left '
  'and units_left are what refunds leave of its queue goods by the end of the period.';
