-- Every version of the level settings as a whole, so that a settlement can be explained after they have changed.
create table app.level_versions (
  version integer generated always as identity primary key,
  levels jsonb not null,
  created_by uuid,
  created_at timestamptz not null default now()
);
comment on table app.level_versions is
  'Append-only snapshots of agent levels and tasks; the newest is what agent_levels and agent_level_tasks hold.';

alter table app.level_versions enable row level security;
create policy admins_read_level_versions on app.level_versions for select to store_admin, service_role using (true);
grant select on app.level_versions to store_admin, service_role;
