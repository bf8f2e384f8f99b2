create type app.remaining_grant as (
  bill_id bigint,
  uid bigint,
  type text,
  source text,
  rate numeric,
  agent_level smallint,
  remaining numeric,
  frozen_points numeric
);
comment on type app.remaining_grant is 'What an order granted a member in one bill row and what is left of it after reversals.';
comment on column app.remaining_grant.remaining is 'What is left of the grant.';
comment on column app.remaining_grant.frozen_points is 'Frozen points of the member, from which a reversal takes points first.';
