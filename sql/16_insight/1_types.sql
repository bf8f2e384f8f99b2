-- Rows of a simulation, of earnings, and of a report.

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
  'An order that a simulation settles, as it is at that moment. at and position place it in sequence. base_left and '
  'units_left are what refunds leave of its queue goods by the end of the period.';

create type app.earnings_of_pair as (
  referrer_uid bigint,
  uid bigint,
  commission numeric,
  commission_points numeric,
  direct_points numeric,
  umbrella_points numeric
);
comment on type app.earnings_of_pair is
  'What the orders of buyers with one referrer brought a member, less reversals. referrer_uid is the referrer that '
  'the buyers had when they ordered.';

create type app.period_figures as (
  day date,
  begins_at timestamptz,
  ends_at timestamptz,
  orders bigint,
  queue_orders bigint,
  paid numeric,
  refunded numeric,
  queue_revenue numeric,
  commission numeric,
  points_frozen numeric,
  points_released numeric,
  members bigint
);
comment on type app.period_figures is 'The figures of an hour, day, week or month. day is its first day.';
