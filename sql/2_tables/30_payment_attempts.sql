create table app.payment_attempts (
  id bigint generated always as identity primary key,
  order_id bigint not null references app.orders (id),
  attempt_no text not null unique,
  provider text not null,
  method text not null,
  amount numeric(14,2) not null,
  state text not null default 'open',
  pay_ref text,
  reason text,
  started_at timestamptz,
  queried_at timestamptz,
  expires_at timestamptz not null,
  add_time timestamptz not null,
  ended_at timestamptz,
  constraint attempt_no_has_at_most_32_characters check (attempt_no ~ '^[0-9A-Za-z-]{6,32}$'),
  constraint provider_is_a_name check (provider ~ '^[a-z][a-z0-9_]{0,31}$'),
  constraint method_is_a_name check (method ~ '^[a-z][a-z0-9_]{0,31}$'),
  constraint amount_is_positive check (amount > 0),
  constraint state_is_known check (state in ('open', 'refused', 'closed', 'paid')),
  constraint ended_at_iff_it_has_ended check ((ended_at is null) = (state = 'open')),
  constraint pay_ref_iff_paid check ((pay_ref is not null) = (state = 'paid')),
  constraint texts_are_short check (greatest(char_length(pay_ref), char_length(reason)) <= 128),
  constraint expires_after_it_was_opened check (expires_at > add_time)
);
comment on table app.payment_attempts is
  'Attempts to pay an order at a provider. The row is written before the provider is called, and notifications name its number.';
comment on column app.payment_attempts.state is
  'open; refused, if the provider refused to start it; closed, if the provider said that it can no longer be paid; paid, if the '
  'provider said that it has the money, even if it could not be applied to the order.';
comment on column app.payment_attempts.started_at is 'When the provider answered that the payment can be made; null if no answer was recorded.';
comment on column app.payment_attempts.queried_at is 'When the provider was last queried for a client.';

create unique index payment_attempts_one_is_open on app.payment_attempts (order_id, provider) where state = 'open';
create index payment_attempts_order_id_idx on app.payment_attempts (order_id, id);
-- For app.orders_since.
create index payment_attempts_times_idx on app.payment_attempts using brin (add_time, ended_at);

alter table app.payment_attempts enable row level security;
create policy admins_read_payment_attempts on app.payment_attempts for select to store_admin, service_role using (true);
grant select on app.payment_attempts to store_admin, service_role;
