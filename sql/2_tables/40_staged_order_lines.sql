create unlogged table app.staged_order_lines (
  line integer not null,
  order_no text,
  line_no text,
  product_id text,
  title text,
  price text,
  quantity text,
  discount text,
  is_queue_goods text
);
comment on table app.staged_order_lines is
  'Lines of orders of a running import, as text, with the line of the file. Empty between imports.';

create index staged_order_lines_order_no_idx on app.staged_order_lines (order_no);

alter table app.staged_order_lines enable row level security;
