create table app.outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  key text not null,
  payload jsonb not null default '{}',
  state text not null default 'waiting',
  attempts smallint not null default 0,
  run_after timestamptz not null,
  last_problem text,
  created_at timestamptz not null,
  constraint what_is_to_be_done_is_written_once unique (kind, key),
  constraint kind_is_a_name check (kind ~ '^[a-z][a-z0-9_]{0,31}$'),
  constraint key_is_a_short_text check (char_length(key) between 1 and 128),
  constraint payload_is_an_object check (jsonb_typeof(payload) = 'object'),
  constraint state_is_known check (state in ('waiting', 'failed')),
  constraint attempts_are_not_negative check (attempts >= 0),
  constraint last_problem_is_a_short_text check (char_length(last_problem) <= 500)
);
comment on table app.outbox is
  'Calls to providers that are made in the background, after the request that causes them. The transaction that causes a call '
  'writes the row; the edge function worker leases it, makes the call and records the result, and the transaction that records '
  'the final result deletes it.';
comment on column app.outbox.run_after is 'When the row is due. A lease moves it to the end of the lease.';
comment on column app.outbox.state is 'waiting, or failed if it is not tried again until an administrator retries it.';

create index outbox_due_idx on app.outbox (run_after, id) where state = 'waiting';
create index outbox_failed_idx on app.outbox (id) where state = 'failed';

alter table app.outbox enable row level security;
create policy admins_read_outbox on app.outbox for select to store_admin, service_role using (true);
grant select on app.outbox to store_admin, service_role;
