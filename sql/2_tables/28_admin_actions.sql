create sequence app.admin_actions_id_seq;

create table app.admin_actions (
  id bigint not null default nextval('app.admin_actions_id_seq'),
  actor uuid,
  function text not null,
  target_type text not null,
  target_id text,
  from_value jsonb,
  to_value jsonb,
  request_id text,
  add_time timestamptz not null,
  primary key (add_time, id),
  constraint function_is_a_name check (function ~ '^[a-z][a-z0-9_]{0,62}$'),
  constraint target_type_is_a_name check (target_type ~ '^[a-z][a-z0-9_]{0,31}$'),
  constraint ids_are_short check (greatest(char_length(target_id), char_length(request_id)) <= 255),
  constraint values_are_objects check (coalesce(jsonb_typeof(from_value), 'object') = 'object' and coalesce(jsonb_typeof(to_value), 'object') = 'object'),
  constraint something_was_there_or_is check (from_value is not null or to_value is not null)
) partition by range (add_time);

alter sequence app.admin_actions_id_seq owned by app.admin_actions.id;
comment on table app.admin_actions is
  'Append-only audit of administrative writes, partitioned by month, each written in the transaction of the change. Names, phones, addresses and '
  'other free text are recorded only as changed (app.record_action).';
comment on column app.admin_actions.actor is 'The Auth account; null: the owner of the database.';
comment on column app.admin_actions.from_value is 'Null if the target is new.';
comment on column app.admin_actions.to_value is 'Null if the target no longer exists.';

-- Takes rows of a month without a partition.
create table app.admin_actions_default partition of app.admin_actions default;

create index admin_actions_target_idx on app.admin_actions (target_type, target_id, add_time, id);
create index admin_actions_actor_idx on app.admin_actions (actor, add_time, id);
create index admin_actions_function_idx on app.admin_actions (function, add_time, id);

alter table app.admin_actions enable row level security;
alter table app.admin_actions_default enable row level security;
create policy admins_read_admin_actions on app.admin_actions for select to store_admin, service_role using (true);
grant select on app.admin_actions to store_admin, service_role;
