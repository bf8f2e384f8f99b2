create sequence app.withdrawal_no_seq;
comment on sequence app.withdrawal_no_seq is 'The last digits of app.withdrawals.withdrawal_no.';

create table app.withdrawals (
  id bigint generated always as identity primary key,
  withdrawal_no text not null unique,
  uid bigint not null references app.users (uid),
  method text not null,
  account_id bigint references app.payout_accounts (id) on delete set null,
  account_hint text not null,
  amount numeric(14,2) not null,
  fee numeric(14,2) not null,
  state text not null default 'requested',
  transfer_state text,
  reason text,
  payment_ref text,
  batch_id bigint references app.withdrawal_batches (id),
  add_time timestamptz not null,
  approved_at timestamptz,
  paying_at timestamptz,
  ended_at timestamptz,
  constraint withdrawal_no_has_at_most_32_characters check (withdrawal_no ~ '^[0-9A-Z]{6,32}$'),
  constraint method_is_known check (method in ('bank', 'alipay', 'wechat')),
  constraint only_a_bank_or_alipay_withdrawal_has_an_account check (method <> 'wechat' or account_id is null),
  constraint account_hint_is_a_short_text check (char_length(account_hint) <= 80),
  constraint fee_is_less_than_the_amount check (fee >= 0 and fee < amount),
  constraint state_is_known check (state in ('requested', 'approved', 'paying', 'paid', 'refused', 'failed')),
  constraint transfer_state_is_known check (
    transfer_state in ('accepted', 'confirming', 'transferring', 'cancelling', 'succeeded', 'failed', 'cancelled')
  ),
  constraint only_what_wechat_was_told_to_pay_has_a_transfer_state check (transfer_state is null or (method = 'wechat' and paying_at is not null)),
  constraint what_wechat_decided_is_the_end check (
    case when transfer_state = 'succeeded' then state = 'paid' when transfer_state in ('failed', 'cancelled') then state = 'failed' else true end
  ),
  constraint ended_at_iff_ended check ((ended_at is not null) = (state in ('paid', 'refused', 'failed'))),
  constraint approved_at_iff_approved check (
    case state when 'requested' then approved_at is null when 'refused' then true else approved_at is not null end
  ),
  constraint paying_at_needs_approval check (paying_at is null or approved_at is not null),
  constraint only_what_a_bank_was_told_to_pay_is_in_a_batch check (batch_id is null or (paying_at is not null and method <> 'wechat')),
  constraint a_reason_iff_not_paid check ((reason is not null) = (state in ('refused', 'failed'))),
  constraint only_a_paid_withdrawal_has_a_payment_ref check (payment_ref is null or state = 'paid'),
  constraint texts_are_short check (char_length(reason) between 1 and 500 and char_length(payment_ref) between 1 and 128)
);
comment on table app.withdrawals is
  'Withdrawals of commission. The amount leaves the balance when the member requests it, and returns if the withdrawal is refused '
  'or fails. The member receives the amount less the fee.';
comment on column app.withdrawals.withdrawal_no is 'Names the payment at a bank or a provider. The same number is never paid twice.';
comment on column app.withdrawals.account_id is 'Null for wechat, and for a member whose account was deleted (app.forget_person).';
comment on column app.withdrawals.account_hint is 'The bank and the masked number; empty for a member whose account was deleted.';
comment on column app.withdrawals.state is
  'requested; approved by an administrator; paying, if a bank or a provider was told to pay and has not said how it ended; paid, '
  'refused or failed at the end.';
comment on column app.withdrawals.ended_at is 'Null while the withdrawal is open: requested, approved or paying.';
comment on column app.withdrawals.transfer_state is
  'For wechat, what WeChat last said: accepted; confirming, if it waits for the member; transferring; cancelling; succeeded, failed or '
  'cancelled at the end. Null before its first response.';
comment on column app.withdrawals.reason is 'Why it was refused or failed.';

create unique index withdrawals_one_is_open on app.withdrawals (uid) where ended_at is null;
create index withdrawals_uid_idx on app.withdrawals (uid, id);
create index withdrawals_state_idx on app.withdrawals (state, id);
create index withdrawals_batch_id_idx on app.withdrawals (batch_id, id) where batch_id is not null;
create index withdrawals_account_id_idx on app.withdrawals (account_id) where account_id is not null;

alter table app.withdrawals enable row level security;
grant select on app.withdrawals to authenticated, store_admin, service_role;
