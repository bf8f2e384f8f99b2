create table app.level_versions (
  version integer generated always as identity primary key,
  levels jsonb not null,
  rules app.level_rule[] not null generated always as (app.level_rules(levels)) stored,
  created_by uuid,
  created_at timestamptz not null default now()
);
comment on table app.level_versions is
  'Append-only versions of the complete level settings, from which past settlements are explained. The newest equals '
  'app.agent_levels and app.agent_level_tasks.';

comment on column app.level_versions.rules is
  'The same settings in the form that the engine reads, stored so that no settlement has to compute it.';

alter table app.level_versions enable row level security;
create policy admins_read_level_versions on app.level_versions for select to store_admin, service_role using (true);
grant select on app.level_versions to store_admin, service_role;
