create table app.function_settings (
  id boolean primary key default true,
  project_url text not null,
  functions_url text not null,
  variables text[] not null,
  reported_at timestamptz not null,
  constraint there_is_only_one_row check (id)
);
comment on table app.function_settings is
  'What the edge functions last reported about their environment: addresses, and names of variables, never their values. At most '
  'one row. The configuration check reads it.';
comment on column app.function_settings.project_url is 'The address of the Supabase project. A loopback address is a local stack.';
comment on column app.function_settings.functions_url is 'The public address of the edge functions.';
comment on column app.function_settings.variables is 'The names of the variables that have a value, of those that the check knows.';

alter table app.function_settings enable row level security;
create policy admins_read_function_settings on app.function_settings for select to store_admin, service_role using (true);
grant select on app.function_settings to store_admin, service_role;
