-- What is to be added to the task counters of one member.
create type app.count_change as (
  uid bigint,
  own_orders integer,
  direct_orders integer,
  umbrella_orders integer,
  direct_members integer,
  umbrella_members integer
);
