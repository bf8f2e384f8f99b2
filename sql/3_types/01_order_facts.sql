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
comment on type app.order_facts is 'What the cycle rule knows of an order.';
comment on column app.order_facts.kind is
  'settle: the order is settled. free: a refund has left no base, so its place is freed while the cycle is open. report: not an '
  'order, but a change of what the member has ordered: the earliest reported order that is left was paid at paid_at, null if '
  'none is left (R4).';
comment on column app.order_facts.member is 'Index of the buyer.';
comment on column app.order_facts.plan_in_force is 'Version of the plan in force when the order is settled. Its cap applies.';
comment on column app.order_facts.reason is 'Why nobody can earn, or null (see app.barring_reason).';
comment on column app.order_facts.is_counted is 'Whether the order counts for tasks (see app.is_counted).';
