create type app.tree_event as (
  kind text,
  member integer,
  order_id bigint,
  units integer,
  max_depth integer,
  step integer,
  is_set boolean,
  referrer integer,
  orders_below integer,
  members_below integer,
  to_level smallint
);
comment on type app.tree_event is 'A change in the referral tree that the level rules react to.';
comment on column app.tree_event.kind is
  'settle: an order is settled; units grant points (0: none), step orders begin to count, and members may rise. count: an order '
  'begins (step 1) or ceases (step -1) to count because of its refunds. assess: no_assess becomes is_set (R9). refer: the '
  'member gets the referrer at index referrer, with orders_below and members_below counted below the member. grade: an '
  'administrator sets the grade to to_level and the hold to is_set.';
comment on column app.tree_event.member is 'Index of the buyer or of the member who changes.';
