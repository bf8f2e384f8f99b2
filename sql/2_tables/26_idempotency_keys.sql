-- The answers of writes that were sent with a key (the header Idempotency-Key), written in the transaction of their effect and
-- kept for a day: a client that does not know whether its request arrived sends it again. Each caller has keys of their own.
create table app.idempotency_keys (
  auth_id uuid not null,
  role text not null,
  key text not null,
  fingerprint bytea not null,
  answer jsonb not null,
  created_at timestamptz not null,
  primary key (auth_id, role, key),
  constraint key_is_a_short_visible_text check (key ~ '^[!-~]{1,255}$')
);
comment on table app.idempotency_keys is
  'Answers by caller and key; fingerprint is that of function and arguments. Answers are the caller''s: no client role reads them.';

create index idempotency_keys_created_at_idx on app.idempotency_keys (created_at);

alter table app.idempotency_keys enable row level security;
