create or replace function app.forget_idempotency_keys(p_now timestamptz default clock_timestamp())
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  delete from app.idempotency_keys as k where k.created_at < p_now - interval '24 hours'
$$;

comment on function app.forget_idempotency_keys is
  'Deletes the stored responses of requests whose idempotency key is older than 24 hours.';
