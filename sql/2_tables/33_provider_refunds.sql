create table app.provider_refunds (
  id bigint generated always as identity primary key,
  refund_no text not null unique,
  order_id bigint not null references app.orders (id),
  refund_id bigint references app.refunds (id),
  provider text not null,
  payment_no text not null,
  pay_ref text not null,
  amount numeric(14,2) not null,
  total numeric(14,2) not null,
  state text not null default 'refunding',
  provider_ref text,
  reason text,
  created_at timestamptz not null,
  decided_at timestamptz,
  constraint refund_no_has_at_most_64_characters check (refund_no ~ '^[0-9A-Za-z-]{1,64}$'),
  constraint amount_is_positive_and_within_the_payment check (amount > 0 and amount <= total),
  constraint state_is_known check (state in ('refunding', 'succeeded', 'failed')),
  constraint decided_at_iff_decided check ((decided_at is null) = (state = 'refunding')),
  constraint a_reason_iff_it_failed check ((reason is null) = (state <> 'failed')),
  constraint texts_are_short check (greatest(char_length(provider_ref), char_length(reason)) <= 128)
);
comment on table app.provider_refunds is
  'Refunds that a provider is asked to pay: for a refund of an order, or, with refund_id null, for a whole unclaimed payment. '
  'Each attempt has a number of its own; a failed attempt is never paid out later.';
comment on column app.provider_refunds.payment_no is 'The number under which the provider knows the payment.';
comment on column app.provider_refunds.total is 'The whole payment.';
comment on column app.provider_refunds.provider_ref is 'The provider''s id of the refund.';

create unique index provider_refunds_one_for_a_refund on app.provider_refunds (refund_id) where state <> 'failed' and refund_id is not null;
create unique index provider_refunds_one_for_an_unclaimed_payment on app.provider_refunds (provider, pay_ref) where state <> 'failed' and refund_id is null;
create index provider_refunds_order_id_idx on app.provider_refunds (order_id, id);
create index provider_refunds_refund_id_idx on app.provider_refunds (refund_id, id);
create index provider_refunds_payment_no_idx on app.provider_refunds (payment_no);
create index provider_refunds_payment_idx on app.provider_refunds (provider, pay_ref, id);

alter table app.provider_refunds enable row level security;
grant select on app.provider_refunds to authenticated, store_admin, service_role;
