create table app.no_assess_changes (
  id bigint generated always as identity primary key,
  uid bigint not null references app.users (uid),
  from_value boolean not null,
  to_value boolean not null,
  changed_by uuid,
  position bigint not null default nextval('app.positions'),
  add_time timestamptz not null,
  constraint the_flag_changes check (from_value <> to_value)
);
comment on table app.no_assess_changes is
  'Changes of the no-assess flag (R9). changed_by is the Auth account of the administrator.';

create index no_assess_changes_uid_idx on app.no_assess_changes (uid, id);

alter table app.no_assess_changes enable row level security;
create policy admins_read_no_assess_changes on app.no_assess_changes for select to store_admin, service_role using (true);
grant select on app.no_assess_changes to store_admin, service_role;
