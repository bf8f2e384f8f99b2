-- Security definer: client roles have no write privilege on refunds.
-- Locks: the order, the refund at the provider.
-- Raises: refund_not_found, invalid_argument.
-- Idempotent: a decided refund stays as it is.
create or replace function api.record_refund_state(
  p_refund_no text, p_state text, p_provider_ref text default null, p_reason text default null
)
returns jsonb
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object('state', (app.record_refund_state(p_refund_no, p_state, left(p_provider_ref, 128), left(p_reason, 128), null)).state)
$$;

comment on function api.record_refund_state is
  'Records what a provider reported about a refund and returns its state: refunding, succeeded or failed. accepted leaves it '
  'refunding.';

grant execute on function api.record_refund_state(text, text, text, text) to service_role;
