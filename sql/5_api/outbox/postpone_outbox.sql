-- Security definer: client roles have no write privilege on the outbox.
-- Not idempotent: see app.postpone_outbox.
create or replace function api.postpone_outbox(p_id bigint, p_attempt integer, p_problem text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.postpone_outbox(p_id, p_attempt, p_problem, clock_timestamp());
  return 'null'::jsonb;
end
$$;

comment on function api.postpone_outbox is
  'Records that a leased call to a provider has no final result yet, and why; null means that the provider has not decided.';

grant execute on function api.postpone_outbox(bigint, integer, text) to service_role;
