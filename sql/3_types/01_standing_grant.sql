-- What an order granted a member in one bill row, what still stands of it, and what the member has frozen, which is where
-- points are taken back from first.
create type app.standing_grant as (
  bill_id bigint,
  uid bigint,
  type text,
  source text,
  rate numeric,
  agent_level smallint,
  standing numeric,
  frozen_points numeric
);
