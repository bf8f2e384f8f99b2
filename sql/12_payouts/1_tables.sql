-- Accounts and real names of members, withdrawals with their batches and taxes, and transfers to WeChat.

create table app.payout_accounts (
  id bigint generated always as identity primary key,
  uid bigint not null references app.users (uid),
  method text not null,
  holder text not null,
  account_no text not null,
  bank text,
  add_time timestamptz not null,
  deleted_at timestamptz,
  constraint method_is_known check (method in ('bank', 'alipay')),
  constraint texts_are_short check (
    app.is_line(holder) and char_length(holder) between 1 and 64 and char_length(account_no) between 4 and 64
    and app.is_line(account_no)
    and char_length(bank) between 1 and 64 and app.is_line(bank)
  ),
  constraint only_a_bank_account_has_a_bank check ((bank is not null) = (method = 'bank'))
);
comment on table app.payout_accounts is
  'Accounts at a bank or at Alipay to which members withdraw commission. Personal: no client role can read it; '
  'members and most administrators see the numbers masked.';
comment on column app.payout_accounts.deleted_at is
  'When the member deleted the account. The row stays if a withdrawal names it, until the account of the member is '
  'deleted (app.forget_person).';

create index payout_accounts_account_no_idx on app.payout_accounts (account_no, method, id);
create unique index payout_accounts_are_added_once on app.payout_accounts (
  uid, method, account_no, holder, coalesce(bank, '')
)
  where deleted_at is null;

alter table app.payout_accounts enable row level security;

create table app.withdrawal_batches (
  id bigint generated always as identity primary key,
  batch_no text not null generated always as ('B' || lpad(id::text, 8, '0')) stored unique,
  method text not null,
  withdrawals integer not null,
  amount numeric(16,2) not null,
  created_by uuid,
  add_time timestamptz not null,
  constraint method_is_known check (method in ('bank', 'alipay')),
  constraint a_batch_has_1_to_10000_withdrawals check (withdrawals between 1 and 10000),
  constraint amount_is_positive check (amount > 0)
);
comment on table app.withdrawal_batches is
  'Withdrawals given to a bank or to Alipay together, in one file. A batch never changes; its withdrawals end one by '
  'one.';
comment on column app.withdrawal_batches.amount is 'What the bank pays: the amounts less fees and taxes.';
comment on column app.withdrawal_batches.created_by is
  'The Auth account of the administrator; null: the owner of the database.';

alter table app.withdrawal_batches enable row level security;
create policy admins_read_withdrawal_batches on app.withdrawal_batches for select to store_admin, service_role
  using (true);
grant select on app.withdrawal_batches to store_admin, service_role;

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
  tax numeric(14,2) not null default 0,
  state text not null default 'requested',
  transfer_state text,
  reason text,
  payment_ref text,
  batch_id bigint references app.withdrawal_batches (id),
  add_time timestamptz not null,
  approved_by uuid,
  approved_at timestamptz,
  paying_at timestamptz,
  ended_at timestamptz,
  held_accepted numeric(14,2),
  fee_rate numeric(6,5),
  constraint withdrawal_no_has_at_most_32_characters check (withdrawal_no ~ '^[0-9A-Z]{6,32}$'),
  constraint method_is_known check (method in ('bank', 'alipay', 'wechat')),
  constraint only_a_bank_or_alipay_withdrawal_has_an_account check (method <> 'wechat' or account_id is null),
  constraint account_hint_is_a_short_text check (char_length(account_hint) <= 80),
  constraint fee_is_less_than_the_amount check (fee >= 0 and fee < amount),
  constraint tax_leaves_something_to_pay check (tax >= 0 and fee + tax < amount),
  constraint tax_is_fixed_when_it_is_paid check (tax = 0 or paying_at is not null),
  constraint state_is_known check (
    state in ('requested', 'approved', 'paying', 'paid', 'refused', 'failed', 'cancelled')
  ),
  constraint transfer_state_is_known check (
    transfer_state in ('accepted', 'confirming', 'transferring', 'cancelling', 'succeeded', 'failed', 'cancelled')
  ),
  constraint only_what_wechat_was_told_to_pay_has_a_transfer_state check (
    transfer_state is null or (method = 'wechat' and paying_at is not null)
  ),
  constraint what_wechat_decided_is_the_end check (
    case
      when transfer_state = 'succeeded' then state = 'paid'
      when transfer_state in ('failed', 'cancelled') then state = 'failed'
      else true
    end
  ),
  constraint ended_at_iff_ended check ((ended_at is not null) = (state in ('paid', 'refused', 'failed', 'cancelled'))),
  constraint approved_at_iff_approved check (
    case
      when state in ('requested', 'cancelled') then approved_at is null
      when state = 'refused' then true
      else approved_at is not null
    end
  ),
  constraint paying_at_needs_approval check (paying_at is null or approved_at is not null),
  constraint only_what_a_bank_was_told_to_pay_is_in_a_batch check (
    batch_id is null or (paying_at is not null and method <> 'wechat')
  ),
  constraint a_reason_iff_the_store_did_not_pay check ((reason is not null) = (state in ('refused', 'failed'))),
  constraint only_a_paid_withdrawal_has_a_payment_ref check (payment_ref is null or state = 'paid'),
  constraint texts_are_short check (
    app.is_text(reason) and char_length(reason) between 1 and 500 and char_length(payment_ref) between 1 and 128
    and app.is_line(payment_ref)
  ),
  constraint held_accepted_is_part_of_the_amount check (held_accepted > 0 and held_accepted <= amount)
);
comment on table app.withdrawals is
  'Withdrawals of commission. The amount leaves the balance with the request, and returns unless it is paid. The '
  'member receives the amount less fee and tax.';
comment on column app.withdrawals.withdrawal_no is
  'Names the payment at a bank or a provider. The same number is never paid twice.';
comment on column app.withdrawals.account_id is
  'Null for wechat, and for a member whose account was deleted (app.forget_person).';
comment on column app.withdrawals.account_hint is
  'The bank and the masked number; empty for a member whose account was deleted.';
comment on column app.withdrawals.tax is
  'The income tax withheld: 0 until the withdrawal becomes paying, then fixed. If the payment fails, '
  'app.tax_withholdings has its reversal.';
comment on column app.withdrawals.state is
  'requested; approved; paying (a bank or provider was told to pay and has not said how it ended); at the end paid, '
  'refused, failed, or cancelled by the member before an approval.';
comment on column app.withdrawals.approved_by is
  'The administrator who approved it; while it is requested, who approved it first, above the limit. Null if the owner '
  'of the database did.';
comment on column app.withdrawals.ended_at is 'Null while the withdrawal is open: requested, approved or paying.';
comment on column app.withdrawals.transfer_state is
  'For wechat, what WeChat last said: accepted; confirming (waits for the member); transferring; cancelling; at the '
  'end succeeded, failed or cancelled. Null before its first response.';
comment on column app.withdrawals.reason is 'Why it was refused or failed.';
comment on column app.withdrawals.fee_rate is
  'The rate of the fee, as the settings had it at the request. Null for requests from before 2.0.0.';
comment on column app.withdrawals.held_accepted is
  'What open refund requests held of it when it was last approved in spite of them. No transfer begins while they hold '
  'more. Null: nothing.';

create unique index withdrawals_one_is_open on app.withdrawals (uid) where ended_at is null;
create index withdrawals_uid_idx on app.withdrawals (uid, id);
create index withdrawals_state_idx on app.withdrawals (state, id);
create index withdrawals_ended_at_idx on app.withdrawals (ended_at, id) where ended_at is not null;
create index withdrawals_batch_id_idx on app.withdrawals (batch_id, id) where batch_id is not null;
create index withdrawals_account_id_idx on app.withdrawals (account_id) where account_id is not null;

alter table app.withdrawals enable row level security;
grant select on app.withdrawals to authenticated, store_admin, service_role;

create table app.transfers (
  withdrawal_id bigint primary key references app.withdrawals (id),
  appid text not null,
  openid text,
  payee_name text,
  mchid text,
  provider_ref text,
  package_info text,
  first_asked_at timestamptz,
  asked_at timestamptz,
  cancel_at timestamptz,
  constraint asked_at_iff_first_asked_at check ((asked_at is null) = (first_asked_at is null)),
  constraint texts_are_short check (
    char_length(appid) >= 1 and char_length(appid) <= 64 and char_length(openid) between 1 and 128
    and char_length(payee_name) between 1 and 64 and app.is_line(payee_name)
    and char_length(mchid) between 1 and 64 and char_length(provider_ref) between 1 and 128
    and char_length(package_info) between 1 and 4000
  )
);
comment on table app.transfers is
  'The transfer of each withdrawal by wechat, under its number, written with the request for it. Personal: no client '
  'role can read it.';
comment on column app.transfers.openid is
  'The member in the app appid. Null for a member whose account was deleted; nothing is transferred then.';
comment on column app.transfers.payee_name is
  'The name that WeChat compares, from an amount on. Deleted when the withdrawal has ended.';
comment on column app.transfers.mchid is 'The merchant of the first request, which alone can continue the transfer.';
comment on column app.transfers.package_info is
  'Opens the confirmation page of WeChat. Deleted when the member has confirmed, or the withdrawal has ended.';
comment on column app.transfers.asked_at is 'The start of the last run of the worker that could request the transfer.';
comment on column app.transfers.cancel_at is
  'When an administrator cancelled the transfer, which is from then on only queried and cancelled.';

alter table app.transfers enable row level security;

create table app.tax_withholdings (
  id bigint generated always as identity primary key,
  withdrawal_id bigint not null references app.withdrawals (id),
  uid bigint not null references app.users (uid),
  method text not null,
  rules_from date not null,
  month date not null,
  months smallint not null,
  income numeric(14,2) not null,
  expenses numeric(14,2) not null,
  basic_deduction numeric(14,2) not null,
  exempt_income numeric(14,2) not null,
  other_deductions numeric(14,2) not null,
  relief numeric(14,2) not null,
  taxable numeric(17,3) not null,
  rate numeric(6,5) not null,
  quick_deduction numeric(14,2) not null,
  tax numeric(14,2) not null,
  reverses_id bigint references app.tax_withholdings (id),
  add_time timestamptz not null,
  constraint method_is_known check (method in ('cumulative', 'per_month', 'per_payment')),
  constraint month_is_a_first_day check (extract(day from month) = 1),
  constraint months_are_those_of_a_year check (months between 1 and 12),
  constraint only_a_reversal_is_negative check (
    case
      when reverses_id is null then income > 0 and tax >= 0 and tax < income
      else income < 0 and tax <= 0 and tax > income
    end
  ),
  constraint taxable_is_not_negative check (taxable >= 0)
);
comment on table app.tax_withholdings is
  'The tax withheld of each withdrawal that became paying while tax was on, and its reversal if the payment failed '
  '(app.compute_tax). Rows are never edited. The bill falls by the gross amount and has no row of it.';
comment on column app.tax_withholdings.rules_from is 'The valid_from of the rules that applied (app.tax_rules).';
comment on column app.tax_withholdings.month is
  'The business month in which the withdrawal became paying, as its first day. A reversal has the month of what it '
  'reverses. A later change of the time zone moves neither.';
comment on column app.tax_withholdings.months is
  'How many consecutive months of the year, up to this one, are computed together: 1 unless the method is cumulative.';
comment on column app.tax_withholdings.income is 'The gross amount of the withdrawal, before the fee.';
comment on column app.tax_withholdings.expenses is
  'By how much the deductible expenses of what is computed together grew by this withdrawal; after a reversal, they '
  'can fall. So with the next four columns.';
comment on column app.tax_withholdings.taxable is
  'What the rate was applied to: the income that is computed together less all deductions, at least 0.';

create unique index tax_withholdings_one_for_each_withdrawal on app.tax_withholdings (withdrawal_id)
  where reverses_id is null;
create unique index tax_withholdings_are_reversed_once on app.tax_withholdings (reverses_id)
  where reverses_id is not null;
create index tax_withholdings_uid_idx on app.tax_withholdings (uid, month);
create index tax_withholdings_month_idx on app.tax_withholdings (month, uid);

create trigger tax_withholdings_are_never_changed before update or delete on app.tax_withholdings
  for each row execute function app.reject_change();
create trigger tax_withholdings_are_never_emptied before truncate on app.tax_withholdings
  for each statement execute function app.reject_change();

create table app.tax_allowances (
  id bigint generated always as identity primary key,
  uid bigint not null references app.users (uid),
  month date not null,
  exempt_income numeric(14,2) not null,
  other_deductions numeric(14,2) not null,
  relief numeric(14,2) not null,
  reason text not null,
  created_by uuid,
  add_time timestamptz not null,
  constraint month_is_a_first_day check (extract(day from month) = 1),
  constraint something_is_allowed check (
    num_nonnulls(nullif(exempt_income, 0), nullif(other_deductions, 0), nullif(relief, 0)) > 0
  ),
  constraint reason_is_a_short_text check (
    app.is_visible(reason) and char_length(reason) between 1 and 500 and app.is_text(reason)
  )
);
comment on table app.tax_allowances is
  'What administrators recorded for the tax of a member and month. Only the cumulative method counts it. Rows are '
  'never edited; a correction has negative amounts.';
comment on column app.tax_allowances.created_by is
  'The Auth account of the administrator; null: the owner of the database.';

create index tax_allowances_uid_idx on app.tax_allowances (uid, month);

-- The reason is forgotten with the member.
create trigger tax_allowances_are_never_changed
  before update of id, uid, month, exempt_income, other_deductions, relief, created_by,
  add_time or delete on app.tax_allowances
  for each row execute function app.reject_change();
create trigger tax_allowances_are_never_emptied before truncate on app.tax_allowances
  for each statement execute function app.reject_change();

alter table app.tax_withholdings enable row level security;
grant select on app.tax_withholdings to authenticated, store_admin, service_role;
alter table app.tax_allowances enable row level security;
grant select on app.tax_allowances to store_admin, service_role;

create table app.real_names (
  id bigint generated always as identity primary key,
  uid bigint not null unique references app.users (uid) on delete cascade,
  document text not null,
  name_mask text not null,
  number_mask text not null,
  ciphertext bytea not null,
  key_id text not null,
  person bytea not null,
  index_key_id text not null,
  state text not null default 'given',
  reason text,
  given_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  constraint document_is_known check (document in ('id_card', 'passport', 'hk_macao_permit', 'taiwan_permit')),
  constraint masks_hide_all_but_the_ends check (
    name_mask ~ '^[^*]\*\*$' and number_mask ~ '^[0-9A-Z]\*+[0-9A-Z]$' and char_length(number_mask) <= 32
  ),
  constraint ciphertext_has_a_nonce_and_a_tag check (octet_length(ciphertext) between 29 and 1000),
  constraint person_is_a_hash check (octet_length(person) = 32),
  constraint ids_of_keys_have_16_digits check (key_id ~ '^[0-9a-f]{16}$' and index_key_id ~ '^[0-9a-f]{16}$'),
  constraint state_is_known check (state in ('given', 'checked', 'refused')),
  constraint decided_at_iff_decided check ((decided_at is null) = (state = 'given')),
  constraint only_a_refused_one_has_a_reason check (reason is null or state = 'refused'),
  constraint reason_is_a_short_text check (app.is_text(reason) and char_length(reason) between 1 and 500)
);
comment on table app.real_names is
  'The real name that a member gave, encrypted outside the database, which has neither the values nor a key. Personal: '
  'no client role can read it. Who gives it again gets another id.';
comment on column app.real_names.name_mask is 'The first character of the name, and two stars.';
comment on column app.real_names.number_mask is 'The first and the last character of the number.';
comment on column app.real_names.ciphertext is
  'A nonce of 12 bytes, then name, type and number as JSON by AES-256-GCM with the uid as associated data.';
comment on column app.real_names.key_id is 'The key of the ciphertext: the first 16 digits of its SHA-256.';
comment on column app.real_names.person is
  'The blind index: HMAC-SHA-256 of type and number under the key index_key_id. Equal for the same document.';
comment on column app.real_names.state is 'given; checked or refused by an administrator or the provider.';
comment on column app.real_names.decided_by is
  'The Auth account of the administrator; null: the provider, or the owner of the database.';

create index real_names_person_idx on app.real_names (person, id);

alter table app.real_names enable row level security;

alter table app.user_bill add constraint user_bill_withdrawal_id_fkey foreign key (withdrawal_id)
  references app.withdrawals (id);

-- Row-level security: members read their own rows, administrators read all rows.
create policy members_read_their_withdrawals on app.withdrawals for select to authenticated
  using (uid = (select app.current_uid()));
create policy admins_read_all_withdrawals on app.withdrawals for select to store_admin, service_role using (true);

create policy members_read_their_tax on app.tax_withholdings for select to authenticated
  using (uid = (select app.current_uid()));
create policy admins_read_all_tax on app.tax_withholdings for select to store_admin, service_role using (true);
create policy admins_read_tax_allowances on app.tax_allowances for select to store_admin, service_role using (true);
