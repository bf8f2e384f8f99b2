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
comment on type app.level_grant is
  'Frozen points of a member for an order by level (R5, R6, R7): points = per_unit x units, rounded down.';
comment on column app.level_grant.ordinal is 'Index of the event that granted the points.';
comment on column app.level_grant.depth is '1 is the buyer''s referrer.';
comment on column app.level_grant.passed_on is 'R7: the highest umbrella points for each unit of the levels between the member and the buyer.';
