-- Idempotent: a finished row is gone.
create or replace function app.finish_outbox(p_kind text, p_key text)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  delete from app.outbox as o where o.kind = p_kind and o.key = p_key
$$;

comment on function app.finish_outbox is 'Removes a call whose final result is recorded from the outbox.';
