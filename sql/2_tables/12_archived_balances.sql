create table app.archived_balances (
  uid bigint primary key references app.users (uid),
  brokerage numeric(14,2) not null,
  frozen numeric(18,4) not null,
  available numeric(18,4) not null,
  commission numeric(14,2) not null,
  points numeric(18,4) not null,
  opening_balances integer not null default 0,
  negative_openings integer not null default 0
);
comment on table app.archived_balances is
  'The sums of the archived bill rows of each member: the balances with which the attached bill begins.';
comment on column app.archived_balances.commission is 'What the rows added to total_brokerage, and points, to total_points_earned.';
comment on column app.archived_balances.opening_balances is
  'How many of the rows are opening balances, and negative_openings, how many of these took commission.';

alter table app.archived_balances enable row level security;
grant select on app.archived_balances to authenticated, store_admin, service_role;
