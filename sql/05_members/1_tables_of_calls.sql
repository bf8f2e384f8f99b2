-- What calls leave behind: the responses of repeated requests, and the action log of administrators.

create table app.idempotency_keys (
  auth_id uuid not null,
  role text not null,
  key text not null,
  fingerprint bytea not null,
  response jsonb not null,
  areas text[] not null default '{}',
  created_at timestamptz not null,
  primary key (auth_id, role, key),
  constraint key_is_a_short_visible_text check (key ~ '^[!-~]{1,255}$')
);
comment on table app.idempotency_keys is
  'Responses to writes that were sent with an Idempotency-Key, by caller and key, kept for a day. No client role can '
  'read them.';
comment on column app.idempotency_keys.fingerprint is 'Hash of the function and its arguments.';
comment on column app.idempotency_keys.areas is
  'The areas that an administrator had to be allowed to change (app.role_areas).';

create index idempotency_keys_created_at_idx on app.idempotency_keys (created_at);

alter table app.idempotency_keys enable row level security;

create sequence app.admin_actions_id_seq;

create table app.admin_actions (
  id bigint not null default nextval('app.admin_actions_id_seq'),
  actor uuid,
  machine_key bigint,
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
  constraint values_are_objects check (
    coalesce(jsonb_typeof(from_value), 'object') = 'object' and coalesce(jsonb_typeof(to_value), 'object') = 'object'
  ),
  constraint something_was_there_or_is check (from_value is not null or to_value is not null)
) partition by range (add_time);

alter sequence app.admin_actions_id_seq owned by app.admin_actions.id;
comment on table app.admin_actions is
  'Append-only audit of administrative writes, partitioned by month. Names, phones, addresses and other free text are '
  'recorded only as changed (app.record_action).';
comment on column app.admin_actions.actor is 'The Auth account; null: the owner of the database.';
comment on column app.admin_actions.machine_key is
  'The machine key with which the account acted; null: the person did.';
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

create table app.dropped_actions (
  month date primary key,
  row_count bigint not null,
  digest text not null,
  dropped_at timestamptz not null,
  constraint month_is_its_first_day check (extract(day from month) = 1),
  constraint digest_is_a_number check (digest ~ '^-?[0-9a-f]{1,64}$')
);
comment on table app.dropped_actions is
  'Months of the action log, in UTC, that were exported and dropped, the oldest ones (app.drop_actions).';
comment on column app.dropped_actions.digest is
  'What app.digest_of_actions returned; a number for months that a version before 2.0.0 archived.';

alter table app.dropped_actions enable row level security;
create policy admins_read_dropped_actions on app.dropped_actions for select to store_admin, service_role using (true);
grant select on app.dropped_actions to store_admin, service_role;

-- Rows of these tables are never changed (see app.reject_change).
create trigger admin_actions_are_never_changed before update or delete on app.admin_actions
  for each row execute function app.reject_change();
create trigger admin_actions_are_never_emptied before truncate on app.admin_actions
  for each statement execute function app.reject_change();
create trigger the_default_part_of_actions_is_never_emptied before truncate on app.admin_actions_default
  for each statement execute function app.reject_change();
