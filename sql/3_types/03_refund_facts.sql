-- What a refund, a request for one or its refusal is decided from: the order before and after it, its settlement (null where it
-- has none), what it granted, and the members concerned.
create type app.refund_facts as (
  before app.orders,
  after app.orders,
  settlement app.settlements,
  grants app.standing_grant[],
  state app.engine_state
);
