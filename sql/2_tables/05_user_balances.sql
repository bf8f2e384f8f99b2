-- A narrow row apart from app.users, because it changes often. It is "the referrer's row" of R10: a transaction locks it before
-- it changes it or decides from it.
-- With no index but the primary key, and with free space in every page for a second version of each row, updates stay HOT: the
-- release changes all rows of a page in one transaction.
create table app.user_balances (
  uid bigint primary key references app.users (uid),
  brokerage_price numeric(14,2) not null default 0,
  frozen_points numeric(18,4) not null default 0,
  available_points numeric(18,4) not null default 0,
  total_points_earned numeric(18,4) not null default 0,
  total_brokerage numeric(14,2) not null default 0,
  total_places integer not null default 0,
  cycle_no integer not null default 0,
  cycle_plan_version integer,
  cycle_is_open boolean not null default false,
  own_orders integer not null default 0,
  direct_orders integer not null default 0,
  umbrella_orders integer not null default 0,
  direct_members integer not null default 0,
  umbrella_members integer not null default 0,
  constraint frozen_points_are_not_negative check (frozen_points >= 0),
  constraint counters_are_not_negative check (
    least(own_orders, direct_orders, umbrella_orders, direct_members, umbrella_members, total_places, cycle_no) >= 0
  ),
  constraint a_cycle_has_a_plan check ((cycle_no = 0) = (cycle_plan_version is null)),
  constraint only_an_opened_cycle_is_open check (cycle_no > 0 or not cycle_is_open)
) with (fillfactor = 45);
comment on table app.user_balances is
  'Balances, which equal those of the member''s last bill row, task counts, and the open cycle. Task counts of members at the '
  'top grade are not maintained.';
comment on column app.user_balances.brokerage_price is 'Current balance of commission.';
comment on column app.user_balances.total_points_earned is 'Sum of all granted points, less reversals.';
comment on column app.user_balances.total_brokerage is 'Sum of all commission, less reversals.';
comment on column app.user_balances.total_places is 'Places taken in all cycles, less places freed.';

alter table app.user_balances enable row level security;
grant select on app.user_balances to authenticated, store_admin, service_role;
