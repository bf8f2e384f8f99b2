-- Precondition: called in the transaction that causes the call.
-- Idempotent: a row that exists is due at the earlier of both times.
create or replace function app.add_to_outbox(p_kind text, p_key text, p_payload jsonb, p_run_after timestamptz, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  insert into app.outbox (kind, key, payload, run_after, created_at) values (p_kind, p_key, p_payload, p_run_after, p_now)
  on conflict (kind, key) do update set run_after = least(outbox.run_after, excluded.run_after), state = 'waiting'
$$;

comment on function app.add_to_outbox is
  'Writes a call to a provider to the outbox, due at p_run_after. A second call with the same kind and key adds no row.';
