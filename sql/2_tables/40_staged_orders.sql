create unlogged table app.staged_orders (
  line integer not null,
  order_no text,
  uid text,
  referrer text,
  state text,
  total_price text,
  discount text,
  freight text,
  pay_price text,
  placed_at text,
  paid_at text,
  delivered_at text,
  received_at text,
  cancelled_at text,
  pay_type text,
  pay_ref text,
  carrier text,
  tracking_no text,
  receiver_name text,
  receiver_phone text,
  region text,
  street text,
  remark text
);
comment on table app.staged_orders is
  'Orders of a running import, as text, with the line of the file. Empty between imports.';

create index staged_orders_order_no_idx on app.staged_orders (order_no);
create index staged_orders_line_idx on app.staged_orders (line);

alter table app.staged_orders enable row level security;
