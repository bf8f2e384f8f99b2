-- Frozen points of a member for an order by level (R5, R6, R7): points = per_unit x units, rounded down. ordinal: the event
-- that granted them. depth 1 is the buyer's referrer. passed_on: what members below took already.
create type app.level_grant as (
  ordinal integer,
  order_id bigint,
  depth integer,
  uid bigint,
  agent_level smallint,
  passed_on numeric,
  per_unit numeric,
  units integer,
  points numeric
);
