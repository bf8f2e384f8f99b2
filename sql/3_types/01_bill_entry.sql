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
