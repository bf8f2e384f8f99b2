create type app.team_change as (
  uid bigint,
  spread_uid bigint,
  members integer,
  orders integer,
  members_below integer,
  orders_below integer
);
comment on type app.team_change is
  'What a member adds to the team totals above: members is 1 for a member who has just got the referrer spread_uid, otherwise 0. '
  'orders is the change of the member''s own orders; for a new referrer, all of them.';
comment on column app.team_change.members_below is
  'Members below the member, and orders_below their orders, that the totals above do not contain yet.';
