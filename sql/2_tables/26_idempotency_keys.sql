create table app.idempotency_keys (
  auth_id uuid not null,
  role text not null,
  key text not null,
  fingerprint bytea not null,
  response jsonb not null,
  created_at timestamptz not null,
  primary key (auth_id, role, key),
  constraint key_is_a_short_visible_text check (key ~ '^[!-~]{1,255}$')
);
comment on table app.idempotency_keys is
  'Responses to writes that were sent with an Idempotency-Key, by caller and key. Written in the transaction of the write and '
  'kept for a day, so that a client can repeat a request. No client role can read them.';
comment on column app.idempotency_keys.fingerprint is 'Hash of the function and its arguments.';

create index idempotency_keys_created_at_idx on app.idempotency_keys (created_at);

alter table app.idempotency_keys enable row level security;
