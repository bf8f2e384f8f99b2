create type app.level_rise as (
  order_id bigint,
  uid bigint,
  from_level smallint,
  to_level smallint
);
comment on type app.level_rise is 'A member reached a grade by an order (R5).';
