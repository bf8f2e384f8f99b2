create table app.commission_maturities (
  order_id bigint primary key references app.settlements (order_id),
  uid bigint not null references app.users (uid),
  amount_left numeric(14,2) not null,
  matures_at timestamptz,
  constraint amount_left_is_not_negative check (amount_left >= 0)
);
comment on table app.commission_maturities is
  'When the commission of an order matures, so that the earner can withdraw it. An order pays one commission, so the order '
  'identifies the bill row. Commission without a row, such as that of an opening balance, has matured.';
comment on column app.commission_maturities.amount_left is 'The commission less what refunds took back.';
comment on column app.commission_maturities.matures_at is 'Null until the receipt of the order is confirmed (see app.matures_at).';

-- For app.maturing.
create index commission_maturities_uid_idx on app.commission_maturities (uid, matures_at);

alter table app.commission_maturities enable row level security;
grant select on app.commission_maturities to authenticated, store_admin, service_role;
