create table app.team_totals_as_of (
  id boolean primary key default true,
  as_of timestamptz not null default now(),
  constraint there_is_only_one_row check (id)
);
comment on table app.team_totals_as_of is
  'The time up to which app.team_totals contains every committed change. Always one row.';

alter table app.team_totals_as_of enable row level security;
create policy admins_read_time_of_team_totals on app.team_totals_as_of for select to store_admin, service_role using (true);
grant select on app.team_totals_as_of to store_admin, service_role;
