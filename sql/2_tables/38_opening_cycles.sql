create table app.opening_cycles (
  uid bigint primary key references app.users (uid),
  places smallint not null,
  plan_version integer not null references app.commission_plans (version),
  constraint places_are_positive check (places > 0)
);
comment on table app.opening_cycles is
  'Places of their first cycle that imported members had taken in the previous system: places 1 to `places` of cycle 1. No order of '
  'this store holds them, so no refund frees them.';

alter table app.opening_cycles enable row level security;
create policy admins_read_opening_cycles on app.opening_cycles for select to store_admin, service_role using (true);
grant select on app.opening_cycles to store_admin, service_role;
