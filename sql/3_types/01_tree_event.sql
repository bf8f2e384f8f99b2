-- Something that happens in the referral tree. kind:
--   settle  an order is settled: units grant points (0: none), step orders begin to count, and members may rise
--   count   an order begins (step 1) or ceases (step -1) to count, because of its refunds
--   assess  the member's no_assess flag becomes is_set (R9)
--   refer   the member gets the referrer at index referrer; counted below the member: orders_below, members_below
--   grade   an administrator sets the member's grade to to_level and their hold to is_set
-- member: index of the buyer, or of the member who changes.
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
