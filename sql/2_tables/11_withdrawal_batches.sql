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
  'Withdrawals that were given to a bank or to Alipay together, in one file. A batch never changes; its withdrawals end one by one.';
comment on column app.withdrawal_batches.amount is 'What the bank pays: the amounts of the withdrawals less their fees.';
comment on column app.withdrawal_batches.created_by is 'The Auth account of the administrator; null: the owner of the database.';

alter table app.withdrawal_batches enable row level security;
create policy admins_read_withdrawal_batches on app.withdrawal_batches for select to store_admin, service_role using (true);
grant select on app.withdrawal_batches to store_admin, service_role;
