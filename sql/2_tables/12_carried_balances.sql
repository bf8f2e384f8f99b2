create table app.carried_balances (
  uid bigint primary key references app.users (uid),
  carried_until timestamptz not null,
  brokerage numeric(14,2) not null,
  frozen numeric(18,4) not null,
  available numeric(18,4) not null,
  commission numeric(14,2) not null,
  points numeric(18,4) not null,
  constraint it_has_an_end check (isfinite(carried_until))
);
comment on table app.carried_balances is
  'The sums of the bill rows of each member in closed months that the nightly reconciliation has proved. It adds the rows of later '
  'months to them. app.reconcile() does not read them.';
comment on column app.carried_balances.carried_until is
  'The end of the months that the sums include. A member without bill rows in the last months keeps an earlier time.';
comment on column app.carried_balances.commission is 'What the rows added to total_brokerage, and points, to total_points_earned.';

alter table app.carried_balances enable row level security;
create policy admins_read_carried_balances on app.carried_balances for select to store_admin, service_role using (true);
grant select on app.carried_balances to store_admin, service_role;
