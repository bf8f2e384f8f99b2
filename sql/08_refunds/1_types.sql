-- What a refund decides with, what it leaves of a grant, and what it makes of the open request.

create type app.remaining_grant as (
  bill_id bigint,
  uid bigint,
  type text,
  source text,
  rate numeric,
  agent_level smallint,
  remaining numeric,
  frozen_points numeric,
  forfeited_available numeric,
  forfeited_brokerage numeric,
  forfeited_frozen numeric
);
comment on type app.remaining_grant is 'What an order granted a member in one bill row and what is left of it after reversals.';
comment on column app.remaining_grant.remaining is 'What is left of the grant.';
comment on column app.remaining_grant.frozen_points is 'Frozen points of the member, those that they gave up included, from which a reversal takes points first.';
comment on column app.remaining_grant.forfeited_brokerage is 'Commission that the member gave up by leaving, of which refunds have taken back nothing yet (app.forfeit_left). So are the other two, of points.';

create type app.request_answer as (
  request_id bigint,
  is_answer boolean,
  state text
);
comment on type app.request_answer is 'What a refund makes of the open request of its order. All null: there is none.';
comment on column app.request_answer.is_answer is 'Whether the refund answers the request and takes its row.';
comment on column app.request_answer.state is 'The state of the request after the refund.';

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
