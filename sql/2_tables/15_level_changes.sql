create table app.level_changes (
  id bigint generated always as identity primary key,
  uid bigint not null references app.users (uid),
  from_level smallint not null,
  to_level smallint not null,
  from_held boolean not null default false,
  to_held boolean not null default false,
  reason text not null,
  order_id bigint references app.orders (id),
  changed_by uuid,
  position bigint not null default nextval('app.positions'),
  add_time timestamptz not null,
  constraint reason_is_known check (reason in ('tasks', 'manual', 'imported')),
  constraint the_level_or_the_hold_changes check (from_level <> to_level or from_held <> to_held),
  constraint nobody_on_hold_rises check (reason <> 'tasks' or not (from_held or to_held)),
  constraint tasks_name_the_order check ((reason = 'tasks') = (order_id is not null))
);
comment on table app.level_changes is
  'Changes of members'' grades and holds (R5): by tasks (with the order), by hand (with the administrator), '
  'or by the import that brought the member.';
comment on column app.level_changes.changed_by is 'The Auth account of the administrator.';

create index level_changes_uid_idx on app.level_changes (uid, id);
create index level_changes_position_idx on app.level_changes (uid, position, id);
create index level_changes_order_id_idx on app.level_changes (order_id) where order_id is not null;

alter table app.level_changes enable row level security;
grant select on app.level_changes to authenticated, store_admin, service_role;
