-- No key and no index: an insert costs as little as possible, and the job takes rows in any order.
create table app.team_changes (
  uid bigint not null
);
comment on table app.team_changes is
  'Queue of members whose referrer or number of reported orders has changed since app.team_totals was summed. A row says who '
  'changed, not how: the job reads the present values, so repeated rows, and rows in any order, give the same totals.';

alter table app.team_changes enable row level security;
create policy admins_read_team_changes on app.team_changes for select to store_admin, service_role using (true);
grant select on app.team_changes to store_admin, service_role;
