create table app.refunds (
  id bigint generated always as identity primary key,
  order_id bigint not null references app.orders (id),
  state text not null,
  refund_ref text,
  reason text not null default '',
  amount numeric(14,2) not null,
  points numeric(18,4) not null default 0,
  created_at timestamptz not null,
  decided_at timestamptz,
  position bigint not null default nextval('app.positions'),
  decided_position bigint,
  names_units boolean not null default false,
  constraint state_is_known check (state in ('requested', 'refused', 'refunded')),
  constraint decided_at_iff_decided check ((decided_at is null) = (state = 'requested')),
  constraint decided_position_iff_decided check ((decided_position is null) = (state = 'requested')),
  constraint reason_is_a_short_text check (char_length(reason) <= 500),
  constraint refund_ref_is_a_short_text check (char_length(refund_ref) between 1 and 128),
  constraint amount_is_not_negative check (amount >= 0),
  constraint points_are_not_negative check (points >= 0)
);
comment on table app.refunds is 'Refunds of orders: requested, refused or refunded.';
comment on column app.refunds.amount is 'What the refunded units cost, without freight and without what points paid.';
comment on column app.refunds.points is 'The points that the refunded units return to the buyer.';
comment on column app.refunds.names_units is
  'Whether the caller named the units when the refund was carried out. Otherwise the units are those of the request, or all that '
  'was left.';

create unique index refunds_one_request_at_a_time on app.refunds (order_id) where state = 'requested';
create unique index refunds_ref_is_used_once on app.refunds (order_id, refund_ref);
create index refunds_order_id_idx on app.refunds (order_id, id);
-- For app.orders_since.
create index refunds_times_idx on app.refunds using brin (created_at, decided_at);

alter table app.refunds enable row level security;
grant select on app.refunds to authenticated, store_admin, service_role;
