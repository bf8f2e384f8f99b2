-- Totals of members by tree, as display figures.

create table app.team_totals (
  uid bigint primary key references app.users (uid),
  spread_uid bigint,
  own_orders integer not null default 0,
  direct_members integer not null default 0,
  direct_orders integer not null default 0,
  umbrella_members integer not null default 0,
  umbrella_orders integer not null default 0,
  constraint totals_are_not_negative check (
    least(own_orders, direct_members, direct_orders, umbrella_members, umbrella_orders) >= 0
  ),
  constraint the_umbrella_contains_the_direct_members check (
    umbrella_members >= direct_members and umbrella_orders >= direct_orders
  )
) with (fillfactor = 70);
comment on table app.team_totals is
  'How many members and reported orders are below each member: display figures, up to a minute late '
  '(docs/decisions/0033). Only app.apply_team_changes writes them; no rule reads them. A member without a row has '
  'nobody below and no order yet.';
comment on column app.team_totals.spread_uid is 'The referrer in whose totals the member is included; null if in none.';
comment on column app.team_totals.own_orders is 'The reported orders of the member that the totals above include.';
comment on column app.team_totals.umbrella_members is 'Members below, at any depth.';

-- For the lists of direct members by orders and by members below.
create index team_totals_orders_idx on app.team_totals (spread_uid, own_orders, uid) where spread_uid is not null;
create index team_totals_members_idx on app.team_totals (spread_uid, umbrella_members, uid)
  where spread_uid is not null;

alter table app.team_totals enable row level security;
create policy admins_read_team_totals on app.team_totals for select to store_admin, service_role using (true);
grant select on app.team_totals to store_admin, service_role;

create table app.team_totals_as_of (
  id boolean primary key default true,
  as_of timestamptz not null default now(),
  constraint there_is_only_one_row check (id)
);
comment on table app.team_totals_as_of is
  'The time up to which app.team_totals contains every committed change. Always one row.';

alter table app.team_totals_as_of enable row level security;
create policy admins_read_time_of_team_totals on app.team_totals_as_of for select to store_admin, service_role
  using (true);
grant select on app.team_totals_as_of to store_admin, service_role;

create type app.team_change as (
  uid bigint,
  spread_uid bigint,
  members integer,
  orders integer,
  members_below integer,
  orders_below integer
);
comment on type app.team_change is
  'What a member adds to the team totals above. members is 1 if they have just got the referrer spread_uid, otherwise '
  '0. orders is the change of their own orders; for a new referrer, all of them.';
comment on column app.team_change.members_below is
  'Members below, and orders_below their orders, that the totals above do not contain yet.';
