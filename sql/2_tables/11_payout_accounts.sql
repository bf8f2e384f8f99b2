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
    char_length(holder) between 1 and 64 and app.is_visible(holder) and char_length(account_no) between 4 and 64 and app.is_visible(account_no)
    and char_length(bank) between 1 and 64 and app.is_visible(bank)
  ),
  constraint only_a_bank_account_has_a_bank check ((bank is not null) = (method = 'bank'))
);
comment on table app.payout_accounts is
  'Accounts at a bank or at Alipay to which members withdraw commission. Personal: no client role can read it; members and most '
  'administrators see the numbers masked.';
comment on column app.payout_accounts.deleted_at is
  'When the member deleted the account. The row stays if a withdrawal names it, because it says where money was paid, until the '
  'account of the member is deleted (app.forget_person).';

create unique index payout_accounts_are_added_once on app.payout_accounts (uid, method, account_no, holder, coalesce(bank, '')) where deleted_at is null;

alter table app.payout_accounts enable row level security;
