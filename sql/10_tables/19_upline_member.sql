-- A member of the chain above a buyer, as a settlement sees them: see upline_shares.
create type app.upline_member as (
  depth integer,
  uid bigint,
  agent_level smallint,
  direct_points numeric,
  umbrella_points numeric,
  passed_on numeric,
  is_below_top boolean
);
