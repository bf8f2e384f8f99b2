create unlogged table app.staged_refunds (
  line integer not null,
  order_no text,
  refund_no text,
  line_no text,
  quantity text,
  state text,
  refunded_at text,
  reason text
);
comment on table app.staged_refunds is
  'Refunds of a running import, as text, with the line of the file. Empty between imports.';

create index staged_refunds_order_no_idx on app.staged_refunds (order_no);

alter table app.staged_refunds enable row level security;
