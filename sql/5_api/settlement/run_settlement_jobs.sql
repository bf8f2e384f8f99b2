-- Security definer: client roles have no write privilege on settlements.
-- Waits at most 250 ms for a lock, because the edge function's instance starts no other settlement meanwhile.
-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
-- Raises: invalid_argument.
-- Idempotent, also when it runs concurrently: see app.run_settlement_jobs.
create or replace function api.run_settlement_jobs(p_limit integer default app.settlement_batch())
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
begin
  return jsonb_build_object('handled', app.run_settlement_jobs(p_limit));
exception when lock_not_available then
  -- Another transaction holds the structure lock.
  return jsonb_build_object('handled', 0);
end
$$;

comment on function api.run_settlement_jobs is
  'Settles up to p_limit waiting orders and returns how many jobs it handled. The edge functions call it in the background '
  'after a payment; pg_cron settles what is left.';

grant execute on function api.run_settlement_jobs(integer) to service_role;
