-- Payment attempts, notifications of providers, payers, and refunds at a provider.

-- Of a notification that could not be verified only the provider and the reason are kept (app.record_unverified).
create table app.payment_notifications (
  id bigint generated always as identity primary key,
  provider text not null,
  event_id text,
  order_id bigint references app.orders (id),
  order_no text,
  pay_ref text,
  amount numeric(14,2),
  currency text,
  outcome text not null,
  reason text,
  add_time timestamptz not null,
  constraint provider_is_a_name check (provider ~ '^[a-z][a-z0-9_]{0,31}$'),
  constraint texts_are_short check (
    greatest(char_length(event_id), char_length(order_no), char_length(pay_ref), char_length(reason)) <= 128
    and char_length(currency) <= 16
  ),
  constraint outcome_is_known check (
    outcome in ('paid', 'repeated', 'refund', 'transfer', 'ignored', 'refused', 'attention', 'unverified')
  ),
  constraint a_reason_iff_it_is_needed check ((reason is null) = (outcome in ('paid', 'repeated'))),
  constraint what_paid_is_complete check (
    outcome not in ('paid', 'repeated', 'attention')
    or (order_id is not null and pay_ref is not null and amount is not null and currency is not null)
  ),
  constraint a_refund_is_of_an_order check (outcome <> 'refund' or (order_id is not null and amount is not null)),
  constraint a_transfer_has_a_number check (outcome <> 'transfer' or (order_no is not null and amount is not null)),
  constraint what_is_unverified_says_nothing check (
    outcome <> 'unverified' or coalesce(event_id, order_no, pay_ref, currency, order_id::text, amount::text) is null
  )
);
comment on table app.payment_notifications is
  'Notifications of payment providers with their outcome: paid, repeated, refund or transfer (its state was recorded), '
  'ignored (needs no action), refused (does not match), attention (no order could take the money), unverified. Nothing '
  'in them can be used to sign or to pay.';

create index payment_notifications_add_time_idx on app.payment_notifications (add_time, id);
create index payment_notifications_outcome_idx on app.payment_notifications (outcome, add_time, id);
create index payment_notifications_event_idx on app.payment_notifications (provider, event_id)
  where event_id is not null;
create index payment_notifications_order_idx on app.payment_notifications (order_id) where order_id is not null;
create index payment_notifications_unverified_idx on app.payment_notifications (provider, add_time)
  where outcome = 'unverified';

alter table app.payment_notifications enable row level security;
create policy admins_read_payment_notifications on app.payment_notifications for select to store_admin, service_role
  using (true);
grant select on app.payment_notifications to store_admin, service_role;

create table app.waiting_payments (
  order_id bigint primary key references app.orders (id) on delete cascade,
  pay_ref text not null,
  marked_by uuid not null,
  add_time timestamptz not null,
  refused_by uuid,
  refused_at timestamptz,
  reason text,
  constraint pay_ref_is_a_short_text check (app.is_line(pay_ref) and char_length(pay_ref) between 1 and 128),
  constraint a_refusal_has_a_reason check ((refused_at is null) = (reason is null)),
  constraint reason_is_a_short_text check (app.is_text(reason) and char_length(reason) between 1 and 500)
);
comment on table app.waiting_payments is
  'Offline payments above the limit that one administrator has marked, and that a second one has not confirmed or has '
  'refused. Only rows of unpaid orders have an effect.';
comment on column app.waiting_payments.marked_by is 'Who marked it first, and so cannot confirm it.';
comment on column app.waiting_payments.refused_at is 'When it was refused; null: it waits.';

alter table app.waiting_payments enable row level security;
create policy admins_read_waiting_payments on app.waiting_payments for select to store_admin, service_role using (true);
grant select on app.waiting_payments to store_admin, service_role;

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
  'Attempts to pay an order at a provider, written before the provider is called. Notifications name attempt_no.';
comment on column app.payment_attempts.state is
  'open; refused (the provider refused to start it); closed (it can no longer be paid); paid (the provider has the '
  'money, even if it could not be applied to the order).';
comment on column app.payment_attempts.started_at is
  'When the provider answered that the payment can be made; null: no answer was recorded.';
comment on column app.payment_attempts.queried_at is 'When the provider was last queried for a client.';

create unique index payment_attempts_one_is_open on app.payment_attempts (order_id, provider) where state = 'open';
create index payment_attempts_order_id_idx on app.payment_attempts (order_id, id);
-- For app.forget_old_records.
create index payment_attempts_without_money_idx on app.payment_attempts (ended_at) where state in ('refused', 'closed');
-- For app.orders_since.
create index payment_attempts_times_idx on app.payment_attempts using brin (add_time, ended_at);

alter table app.payment_attempts enable row level security;
create policy admins_read_payment_attempts on app.payment_attempts for select to store_admin, service_role using (true);
grant select on app.payment_attempts to store_admin, service_role;

create table app.payment_payers (
  attempt_id bigint primary key references app.payment_attempts (id),
  openid text not null,
  constraint openid_is_a_short_text check (char_length(openid) between 1 and 128)
);
comment on table app.payment_payers is
  'The payer''s id in the provider''s app, for attempts that name one. Personal: no client role can read it.';

alter table app.payment_payers enable row level security;

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
  'Refunds that a provider is asked to pay: of an order or, with refund_id null, of a whole unclaimed payment. Each '
  'attempt has its own number; a failed one is never paid out later.';
comment on column app.provider_refunds.payment_no is 'The number under which the provider knows the payment.';
comment on column app.provider_refunds.total is 'The whole payment.';
comment on column app.provider_refunds.provider_ref is 'The provider''s id of the refund.';

create unique index provider_refunds_one_for_a_refund on app.provider_refunds (refund_id)
  where state <> 'failed' and refund_id is not null;
create unique index provider_refunds_one_for_an_unclaimed_payment on app.provider_refunds (provider, pay_ref)
  where state <> 'failed' and refund_id is null;
create index provider_refunds_order_id_idx on app.provider_refunds (order_id, id);
create index provider_refunds_refund_id_idx on app.provider_refunds (refund_id, id);
create index provider_refunds_payment_no_idx on app.provider_refunds (payment_no);
create index provider_refunds_payment_idx on app.provider_refunds (provider, pay_ref, id);

alter table app.provider_refunds enable row level security;
grant select on app.provider_refunds to authenticated, store_admin, service_role;

-- Rows of these tables are never changed (see app.reject_change).
create trigger payment_notifications_are_never_changed before update on app.payment_notifications
  for each row execute function app.reject_change();
-- Those that changed nothing prove nothing (app.forget_old_records).
create trigger notifications_that_prove_something_are_never_deleted before delete on app.payment_notifications
  for each row when (old.outcome not in ('ignored', 'repeated', 'unverified')) execute function app.reject_change();
create trigger payment_notifications_are_never_emptied before truncate on app.payment_notifications
  for each statement execute function app.reject_change();

-- Row-level security: members read their own rows, administrators read all rows.
create policy members_read_their_provider_refunds on app.provider_refunds for select to authenticated
  using (order_id in (select o.id from app.orders as o where o.uid = (select app.current_uid())));
create policy admins_read_all_provider_refunds on app.provider_refunds for select to store_admin, service_role
  using (true);
