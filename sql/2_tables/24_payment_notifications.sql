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
    greatest(char_length(event_id), char_length(order_no), char_length(pay_ref), char_length(reason)) <= 128 and char_length(currency) <= 16
  ),
  constraint outcome_is_known check (outcome in ('paid', 'repeated', 'refund', 'transfer', 'ignored', 'refused', 'attention', 'unverified')),
  constraint a_reason_iff_it_is_needed check ((reason is null) = (outcome in ('paid', 'repeated'))),
  constraint what_paid_is_complete check (
    outcome not in ('paid', 'repeated', 'attention') or (order_id is not null and pay_ref is not null and amount is not null and currency is not null)
  ),
  constraint a_refund_is_of_an_order check (outcome <> 'refund' or (order_id is not null and amount is not null)),
  constraint a_transfer_has_a_number check (outcome <> 'transfer' or (order_no is not null and amount is not null)),
  constraint what_is_unverified_says_nothing check (
    outcome <> 'unverified' or coalesce(event_id, order_no, pay_ref, currency, order_id::text, amount::text) is null
  )
);
comment on table app.payment_notifications is
  'Notifications of payment providers and their outcome: paid, repeated, refund and transfer (its state was recorded), ignored '
  '(needs no action), refused (does not match), attention (money that could not be applied to an order), unverified. Contains nothing that '
  'can be used to sign or to pay.';

create index payment_notifications_add_time_idx on app.payment_notifications (add_time, id);
create index payment_notifications_outcome_idx on app.payment_notifications (outcome, add_time, id);
create index payment_notifications_event_idx on app.payment_notifications (provider, event_id) where event_id is not null;
create index payment_notifications_order_idx on app.payment_notifications (order_id) where order_id is not null;
create index payment_notifications_unverified_idx on app.payment_notifications (provider, add_time) where outcome = 'unverified';

alter table app.payment_notifications enable row level security;
create policy admins_read_payment_notifications on app.payment_notifications for select to store_admin, service_role using (true);
grant select on app.payment_notifications to store_admin, service_role;
