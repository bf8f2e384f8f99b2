-- What the cycle rule knows of an order. kind:
--   settle  the order is settled
--   free    a refund has left no base of the order: its place is freed while the cycle is open
--   report  not an order: the first reported order of the member that is left was paid at paid_at (R4); null: none is left
-- member: index of the buyer. reason: why nobody can earn, or null (see app.barring_reason).
-- plan_in_force: version of the plan in force when the order is settled, whose cap applies.
-- is_counted: whether it counts for tasks (see app.is_counted).
create type app.order_facts as (
  kind text,
  order_id bigint,
  member integer,
  uid bigint,
  referrer_uid bigint,
  plan_version integer,
  plan_in_force integer,
  paid_at timestamptz,
  base numeric(14,2),
  units integer,
  reason text,
  is_counted boolean
);
