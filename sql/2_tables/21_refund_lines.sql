create table app.refund_lines (
  refund_id bigint not null references app.refunds (id),
  line_id bigint not null references app.order_lines (id),
  quantity integer not null,
  primary key (refund_id, line_id),
  constraint quantity_is_positive check (quantity > 0)
);
comment on table app.refund_lines is 'Units of an order line that a refund names.';

create index refund_lines_line_id_idx on app.refund_lines (line_id);

alter table app.refund_lines enable row level security;
grant select on app.refund_lines to authenticated, store_admin, service_role;
