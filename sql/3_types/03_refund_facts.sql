create type app.refund_facts as (
  before app.orders,
  after app.orders,
  settlement app.settlements,
  grants app.remaining_grant[],
  state app.engine_state
);
comment on type app.refund_facts is
  'What a refund, its request or its refusal is decided from: the order before and after it, its grants and the members '
  'concerned.';
comment on column app.refund_facts.settlement is 'Null if the order is not settled.';
