create table app.administrators (
  auth_id uuid primary key references auth.users (id) on delete cascade,
  roles text[] not null default '{owner}',
  added_at timestamptz not null,
  added_by uuid,
  constraint every_role_is_known check (cardinality(roles) > 0 and roles <@ '{owner, finance, service, content}')
);
comment on table app.administrators is
  'Administrators by Auth account. The token role gives an account the Postgres role store_admin; app.require_admin checks this '
  'table at each request. added_by is null if the owner of the database added the account.';

alter table app.administrators enable row level security;
create policy admins_read_administrators on app.administrators for select to store_admin, service_role using (true);
grant select on app.administrators to store_admin, service_role;
