-- The narrow, hot row of a member: balances, task counters and the state of the open commission cycle.
-- It is "the referrer's row" of R10: whoever changes any of it, or decides on any of it, has locked it first.
-- No index but the key, and more free space in every page than rows, keep its updates HOT: the release changes all rows of a
-- page in one transaction.
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
  'Balances (always those of the member''s last user_bill row), task counters and the open cycle. Counters of members at the top grade are not kept.';

alter table app.user_balances enable row level security;
grant select on app.user_balances to authenticated, store_admin, service_role;
