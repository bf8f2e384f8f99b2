create type app.simulated_amount as (order_id bigint, uid bigint, money numeric, points numeric);
comment on type app.simulated_amount is
  'What a simulation pays a member for an order, less what refunds take back by the end of the period.';
