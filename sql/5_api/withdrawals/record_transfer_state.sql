-- Security definer: client roles have no write privilege on withdrawals.
-- Locks: the withdrawal, then the balances of the member if the money comes back.
-- Raises: withdrawal_not_found, invalid_argument.
-- Idempotent: a withdrawal that has ended stays as it is.
create or replace function api.record_transfer_state(
  p_withdrawal_no text, p_state text, p_provider_ref text default null, p_reason text default null, p_package_info text default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return jsonb_build_object(
    'state', (app.record_transfer_state(p_withdrawal_no, p_state, p_provider_ref, left(p_reason, 128), p_package_info, null)).state
  );
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the response is too long.');
end
$$;

comment on function api.record_transfer_state is
  'Records what WeChat reported about a transfer and returns the state of the withdrawal: paying while WeChat has not decided. The '
  'worker calls it last.';

grant execute on function api.record_transfer_state(text, text, text, text, text) to service_role;
